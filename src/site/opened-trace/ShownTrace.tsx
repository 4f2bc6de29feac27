/**
 * The file that is open: its timeline, and what the analysis says of it. The tables move the
 * timeline, never the other way round.
 */
import { type ReactNode, useCallback, useRef } from 'react'
import { findExperiment } from '../../experiments/catalog'
import type { ShownFile } from './store'
import type { RunState } from '../state/run-store'
import { addressOf } from '../state/url'
import type { Target, Timeline } from '../../timeline/types'
import { formatCount, formatNumber, formatQuantity } from '../ui/format'
import { ShareMenu, pictureItems, type ShareGroup } from '../ui/run/ShareMenu'
import { TimelineView } from '../ui/run/TimelineView'
import { ChangesSection } from './changes/ChangesSection'
import { DeviceSection, useShownGaps } from './DeviceSection'
import { RankProblems } from '../ui/verdict/RankRows'
import { RanksSection, FORMAT_WORDS } from './RanksSection'
import { usePathOfFile } from '../ui/timeline/use-path'
import { TablesSection } from './TablesSection'
import { VerdictSection } from './VerdictSection'
import type { FoundFacts, OpenedFacts, RanksDigest } from '../import-worker/protocol'
import { ScrollTable } from '../ui/ScrollTable'
import { LessonLink } from '../ui/verdict/FindingRow'
import { Words } from '../ui/prose/Inline'

/** Lists what a recorded page's scripts do that costs time, each with its lines. */
const PageFindings = ({ found: { pageFindings, diagnoses } }: { readonly found: FoundFacts }) => {
  if (!pageFindings || pageFindings.length === 0) return null
  // The verdict has their evidence.
  const inVerdict = new Set(
    diagnoses.flatMap(({ findings, minor }) => [...findings, ...minor].map(({ sentence }) => sentence)),
  )
  return (
    <section className="stack-12" aria-labelledby="page-findings-title" data-testid="page-findings">
      <h2 id="page-findings-title">What the page’s scripts do</h2>
      <ol className="page-findings stack-16">
        {pageFindings.map(({ what, evidence, mend, lines, fault }) => (
          <li key={what} className="stack-4">
            <p>
              <Words text={what} />
            </p>
            {lines.map((line) => (
              <p key={line} className="small finding-source">
                <code>{line}</code>
              </p>
            ))}
            {!inVerdict.has(what) && (
              <>
                <p className="small">
                  <Words text={evidence} /> {mend}
                </p>
                {fault !== null && <LessonLink mends={fault} />}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/**
 * What the file held and is not shown, by reason, and what it lets on of its own quality. Nothing
 * is left out unsaid.
 */
const SkippedSection = ({ skipped, notes }: Pick<OpenedFacts, 'skipped' | 'notes'>) => (
  <section className="trace-skipped stack-16" aria-labelledby="skipped-title">
    <h2 id="skipped-title">What is not shown</h2>
    {skipped.count === 0 ? (
      <p className="small" data-testid="skipped">
        Nothing was skipped: every event in the file was read.
      </p>
    ) : (
      <ScrollTable
        label="Events that were skipped"
        className="trace-table"
        data-testid="skipped"
        columns={['Why it was skipped', 'Events', 'First one']}
        classAt={{ 2: 'trace-words' }}
        below={
          skipped.count > skipped.shown.length && (
            <p className="small quiet">
              The first {formatNumber(skipped.shown.length)} of {formatNumber(skipped.count)} reasons.
            </p>
          )
        }
        rows={skipped.shown.map(({ reason, count, firstEvent, firstByte }) => [
          reason,
          count === null ? 'not countable' : formatNumber(count),
          `event ${formatNumber(firstEvent)}, byte ${formatNumber(firstByte)}`,
        ])}
      />
    )}
    {notes.shown.length > 0 && (
      <ul className="stack-4 small">
        {notes.shown.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {notes.count > notes.shown.length && (
          <li>and {formatNumber(notes.count - notes.shown.length)} more remarks.</li>
        )}
      </ul>
    )}
  </section>
)

/** Device pixels for each CSS px: the image is sharp at its own size. */
const PIXEL_RATIO = 2

/** @param file its name */
function summaryGroup(file: string, found: FoundFacts, ranks: RanksDigest | null): ShareGroup {
  const summaryModule = () => import('../../analysis/summary/summary')
  const summary = async () => {
    const { summarise, summariseFile } = await summaryModule()
    return summarise([summariseFile(file, found.devices.shown, found.diagnoses)], ranks?.verdict ?? null)
  }
  const png = async (): Promise<Blob> => {
    const [{ picturePng }, { summaryImage }] = await Promise.all([
      import('../ui/picture-png'),
      import('../../strips/summary-image'),
    ])
    const { origin, pathname } = window.location
    const said = await summary()
    const from = `Host/Device Lab, ${origin}${pathname}`
    return await picturePng((widthOf) => summaryImage(said, widthOf, from), PIXEL_RATIO)
  }
  const markdown = async (): Promise<Blob> => {
    const { summaryMarkdown } = await summaryModule()
    return new Blob([summaryMarkdown(await summary())], { type: 'text/plain' })
  }
  return {
    heading: 'Verdict',
    items: [
      ...pictureItems(`${file.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)}.summary`, png),
      {
        label: 'Copy as Markdown',
        does: async () => {
          await navigator.clipboard.write([new ClipboardItem({ 'text/plain': markdown() })])
          return 'Copied as Markdown'
        },
      },
    ],
  }
}

export interface ShownTraceProps {
  readonly file: ShownFile
  readonly run: RunState
  /** More is being found. */
  readonly isReading: boolean
  readonly onAgain: () => void
  /**
   * How long a step takes without the profiler, as the reader says; left out where nothing is
   * predicted.
   */
  readonly onStepMs?: ((stepMs: number | null) => void) | undefined
  /** What opens other files, in the row of its actions. */
  readonly children?: ReactNode
}

/** 'trace.json.gz' becomes 'trace'. */
const withoutEndings = (fileName: string): string => fileName.replace(/(\.hdl|\.json)?(\.gz)?$/i, '')

const NO_DEVICES = { count: 0, shown: [] }

/**
 * Among the facts of the file, in their tone; a file that breaks off is a warning, as the verdict
 * below is of a part of it.
 */
const NotShown = ({ skipped: { count, shown } }: Pick<ShownFile, 'skipped'>) => {
  if (count === 0) return null
  const broken = shown.find((reason) => reason.count === null)
  const events = shown.reduce((sum, reason) => sum + (reason.count ?? 0), 0)
  return (
    <span data-testid="lost" className={broken ? 'warn' : undefined}>
      {broken ? broken.reason : `${formatCount(events, 'event')} not shown`}
    </span>
  )
}

const TriedChanges = (props: Pick<ShownTraceProps, 'file' | 'onStepMs'>) => {
  const {
    file: { found, trace, stepMs },
    onStepMs,
  } = props
  const trial = found?.trial
  const diagnosis = trial && found.diagnoses[trial.device]
  const device = trial && found.devices.shown[trial.device]
  if (!trial || !diagnosis || !onStepMs) return null
  return (
    <ChangesSection
      key={String(stepMs)}
      trial={trial.trial}
      name={found.diagnoses.length > 1 && device ? `${device.name}, ${device.id}` : null}
      {...{ trace, diagnosis, stepMs, onStepMs }}
    />
  )
}

export const ShownTrace = ({ file, run, isReading, onAgain, onStepMs, children }: ShownTraceProps) => {
  const timeline = useRef<Timeline | null>(null)
  const view = useRef<HTMLDivElement>(null)
  const onReady = useCallback((made: Timeline | null) => {
    timeline.current = made
  }, [])
  const show = useCallback((target: Target) => {
    timeline.current?.select(target)
    timeline.current?.zoomTo(target)
    view.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const { format, sizeBytes, trace, skipped, found, ranks } = file
  const devices = found?.devices ?? NO_DEVICES
  const findPath = usePathOfFile(found, ranks)
  const { showGap, showing } = useShownGaps(found, show)
  const showSpan = useCallback((span: number) => show({ type: 'span', span }), [show])

  const deviceGroups = new Set(trace.lanes.flatMap(({ kind, group }) => (kind === 'device' ? [group] : [])))
  const meta = findExperiment(trace.info.experiment)
  const called = withoutEndings(file.name)
  return (
    <>
      <div className="cluster-8-24 split">
        <p className="trace-facts cluster-4-20 tabular small quiet" data-testid="trace-facts">
          <span>{FORMAT_WORDS[format]}</span>
          <span>{formatCount(trace.spans.length, 'span')}</span>
          <span>{formatCount(trace.lanes.length, 'lane')}</span>
          <span>{formatQuantity(sizeBytes, 'bytes')}</span>
          <span>stays on this machine</span>
          <NotShown skipped={skipped} />
          {meta && (
            <span>
              a run of the experiment{' '}
              <a href={addressOf({ page: 'run', id: meta.id, query: {} })}>{meta.title}</a>; these figures
              include warm-up, probes and the time between repeats
            </span>
          )}
        </p>
        <div className="cluster-4-16 no-print">
          <ShareMenu
            run={run}
            called={called}
            first={found ? summaryGroup(file.name, found, ranks) : undefined}
          />
          {children}
        </div>
      </div>
      {ranks?.verdict ? (
        <RanksSection
          ranks={ranks}
          verdict={ranks.verdict}
          found={found}
          onSpan={showSpan}
          {...{ isReading, onAgain, showing }}
        />
      ) : (
        <>
          {ranks && <RankProblems problems={ranks.problems} />}
          <VerdictSection
            {...{ found, opened: file, isReading, onAgain, showing }}
            room={deviceGroups.size > 1 ? 'devices' : format.endsWith('-profiler') ? 'profile' : undefined}
          />
          {found && <PageFindings found={found} />}
        </>
      )}
      <TriedChanges {...{ file, onStepMs }} />
      <div ref={view} className="trace-timeline shrinks">
        <h2 className="visually-hidden">Timeline</h2>
        <TimelineView
          run={run}
          empty="This file holds no spans to draw."
          tall
          onReady={onReady}
          findPath={findPath}
        />
      </div>
      {devices.shown.map((device, index) => (
        <DeviceSection
          key={device.id}
          device={device}
          name={devices.count > 1 ? `${device.id}: ${device.name}` : device.name}
          showGap={showGap[index] ?? null}
        />
      ))}
      {devices.count > devices.shown.length && (
        <p className="small quiet">
          The first {formatNumber(devices.shown.length)} of {formatNumber(devices.count)} devices.
        </p>
      )}
      {run.placed && trace.info.experiment === '' && <TablesSection placed={run.placed} onSpan={showSpan} />}
      <SkippedSection skipped={skipped} notes={file.notes} />
    </>
  )
}
