/** The file that is open: its timeline, and what the analysis says of it. The tables move the timeline, never the other way round. */
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { findExperiment } from '../../experiments/catalog'
import type { ShownFile } from './store'
import { withoutEndings } from '../state/kept-runs-store'
import type { RunState } from '../state/run-store'
import { addressOf } from '../state/url'
import type { Target, Timeline } from '../../timeline/types'
import { formatCount, formatNumber, formatQuantity } from '../ui/format'
import { KeepRun } from '../ui/run/KeepRun'
import { ShareMenu } from '../ui/run/ShareMenu'
import { TimelineView } from '../ui/run/TimelineView'
import { ChangesSection } from './changes/ChangesSection'
import { DeviceSection } from './DeviceSection'
import { useGapSteps } from './gap-steps'
import { RankProblems } from '../ui/verdict/RankRows'
import { RanksSection } from './RanksSection'
import { PageFindings } from './PageFindings'
import { usePathOfFile } from '../ui/timeline/use-path'
import { SkippedSection } from './SkippedSection'
import { TablesSection } from './TablesSection'
import { summaryGroup } from './summary-items'
import { VerdictSection } from './VerdictSection'
import { FORMAT_WORDS } from './words'

export interface ShownTraceProps {
  readonly file: ShownFile
  readonly run: RunState
  /** More is being found. */
  readonly isReading: boolean
  /** How long a step takes without the profiler, as the reader says; left out where nothing is predicted. */
  readonly onStepMs?: ((stepMs: number | null) => void) | undefined
  /** What opens other files, in the row of its actions. */
  readonly children?: ReactNode
}

const TRACE = { page: 'trace' } as const
const NO_DEVICES = { count: 0, shown: [] }

/** Among the facts of the file, in their tone; a file that breaks off is a warning, as the verdict below is of a part of it. */
const NotShown = ({ skipped: { count, shown } }: Pick<ShownFile, 'skipped'>) => {
  if (count === 0) return null
  const broken = shown.find((reason) => reason.count === null)
  const events = shown.reduce((sum, reason) => sum + (reason.count ?? 0), 0)
  return (
    <span data-testid="lost">
      {broken && <span className="warn">{broken.reason}; </span>}
      <button
        type="button"
        className="link-button"
        onClick={() => {
          const heading = document.getElementById('skipped-title')
          heading?.focus({ preventScroll: true })
          heading?.scrollIntoView({ block: 'center' })
        }}
      >
        {broken ? 'what is not shown' : `${formatCount(events, 'event')} not shown`}
      </button>
    </span>
  )
}

const TriedChanges = ({
  file: { found, trace, stepMs },
  onStepMs,
}: Pick<ShownTraceProps, 'file' | 'onStepMs'>) => {
  const trial = found?.trial
  const diagnosis = trial && found.diagnoses[trial.device]
  const device = trial && found.devices.shown[trial.device]
  if (!trial || !diagnosis || !onStepMs) return null
  return (
    <ChangesSection
      key={String(stepMs)}
      found={trial}
      name={found.diagnoses.length > 1 && device ? `${device.name}, ${device.id}` : null}
      {...{ trace, diagnosis, stepMs, onStepMs }}
    />
  )
}

export const ShownTrace = ({ file, run, isReading, onStepMs, children }: ShownTraceProps) => {
  const timeline = useRef<Timeline | null>(null)
  const view = useRef<HTMLDivElement>(null)
  /** By index; −1 none. */
  const selectedGap = useRef(-1)
  const [drawn, setDrawn] = useState<Timeline | null>(null)
  const onReady = useCallback((made: Timeline | null) => {
    timeline.current = made
    setDrawn(made)
  }, [])
  const onSelect = useCallback((target: Target | null) => {
    selectedGap.current = target?.type === 'gap' ? target.gap : -1
  }, [])
  const show = useCallback((target: Target) => {
    timeline.current?.select(target)
    timeline.current?.zoomTo(target)
    view.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const { format, sizeBytes, trace, skipped, found, ranks } = file
  const devices = found?.devices ?? NO_DEVICES
  const findPath = usePathOfFile(found, ranks, isReading)
  const { steps, showing } = useGapSteps(found, run.gaps, show)
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
              <a href={addressOf({ page: 'run', id: meta.id, query: {} })}>{meta.title}</a>; warm-up, probes
              and the time between repeats are in these figures
            </span>
          )}
        </p>
        <div className="cluster-4-16 no-print">
          <ShareMenu
            run={run}
            timeline={drawn}
            place={TRACE}
            called={called}
            {...(found && { first: [summaryGroup(file.name, found, ranks)] })}
          />
          {children}
        </div>
      </div>
      {ranks?.verdict ? (
        <RanksSection
          ranks={ranks}
          verdict={ranks.verdict}
          found={found}
          isReading={isReading}
          showing={showing}
          onSpan={showSpan}
        />
      ) : (
        <>
          {ranks && <RankProblems problems={ranks.problems} />}
          <VerdictSection
            {...{ found, isReading, showing }}
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
          onSelect={onSelect}
          onReady={onReady}
          findPath={findPath}
        />
      </div>
      <KeepRun
        run={run}
        called={called}
        keptKey={file.from.startsWith('kept:') ? file.from.slice('kept:'.length) : undefined}
      />
      {devices.shown.map((device, index) => (
        <DeviceSection
          key={device.id}
          device={device}
          name={devices.count > 1 ? `${device.id}: ${device.name}` : device.name}
          steps={steps[index] ?? null}
          selectedGap={selectedGap}
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
