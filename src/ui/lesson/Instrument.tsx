/** The right half of a lesson: predict, run, see, compare. It stays in view while the prose scrolls. */
import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { findExperiment } from '../../experiments/catalog'
import type { Lesson } from '../../lessons/lesson'
import {
  lineOfSpan,
  lineShares,
  newestLine,
  type LineShare,
  type ProgramLine,
} from '../../state/program-lines'
import { isUnderWay } from '../../state/run-store'
import { formatHash } from '../../state/url'
import type { Target, Timeline } from '../../timeline/types'
import { FaultNotice } from '../FaultNotice'
import { Figures } from '../figure/Figures'
import { useLab } from '../lab-context'
import { ExportBar } from '../run/ExportBar'
import { MetricsTable } from '../run/MetricsTable'
import { ParamControls } from '../run/ParamControls'
import { differences, queryFromValues } from '../run/param-query'
import { RunBar } from '../run/RunBar'
import { RunOutcome } from '../run/RunOutcome'
import { TimelineView } from '../run/TimelineView'
import { SourcePane } from '../source/SourcePane'
import { useStore } from '../use-store'
import { CodePair } from './CodePair'
import { Prediction } from './Prediction'
import { PredictionResult } from './PredictionResult'
import type { LessonRun } from './use-lesson-run'

const IdlePanel = lazy(async () => ({ default: (await import('../idle/IdlePanel')).IdlePanel }))

const TABS = [
  { id: 'code', label: 'Code' },
  { id: 'idle', label: 'Idle time' },
  { id: 'figures', label: 'All figures' },
  { id: 'kernel', label: 'Kernel' },
] as const
type Tab = (typeof TABS)[number]['id']

const Details = ({
  lesson,
  state,
  picked,
  timeline,
}: {
  readonly lesson: Lesson
  readonly state: LessonRun
  /** The line that made the call of the span that is selected in the timeline. */
  readonly picked: ProgramLine | null
  readonly timeline: Timeline | null
}) => {
  const [tab, setTab] = useState<Tab>('code')
  const id = useId()
  const { run, meta, values } = state
  const busy = run !== null && isUnderWay(run.phase)
  const placed = run?.placed ?? null
  // While sizes are worked out no program runs, whatever the newest span is.
  const isMeasuring = run?.progress?.region === undefined
  const lit = useMemo(
    () => (busy ? (placed && isMeasuring ? newestLine(placed) : null) : picked),
    [busy, isMeasuring, placed, picked],
  )
  const sharesOf = useCallback(
    (variant: string): ReadonlyMap<number, LineShare> =>
      !busy && placed ? lineShares(placed, variant) : new Map(),
    [busy, placed],
  )
  return (
    <section className="details" aria-label="Code and figures">
      <div className="tabs" role="tablist" aria-label="Code and figures">
        {TABS.map((each, index) => (
          <button
            key={each.id}
            type="button"
            role="tab"
            id={`${id}-${each.id}`}
            aria-selected={each.id === tab}
            aria-controls={`${id}-panel`}
            tabIndex={each.id === tab ? 0 : -1}
            onClick={() => {
              setTab(each.id)
            }}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
              const next = TABS[(index + step + TABS.length) % TABS.length]
              if (step === 0 || !next) return
              setTab(next.id)
              document.getElementById(`${id}-${next.id}`)?.focus()
            }}
          >
            {each.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`} className="tab-panel">
        {tab === 'code' && (
          <CodePair
            lesson={lesson}
            declaration={meta}
            values={values ?? lesson.values}
            lit={lit}
            sharesOf={sharesOf}
          />
        )}
        {tab === 'idle' &&
          (run ? (
            <Suspense fallback={null}>
              <IdlePanel
                run={run}
                timeline={timeline}
                whyNot="There is no device here to run it on: only the recording can be played."
                onRun={
                  state.recordedOnly || state.blocked !== null
                    ? null
                    : (params) => {
                        state.show(params)
                        state.start(params)
                      }
                }
              />
            </Suspense>
          ) : (
            <p className="quiet">No idle time yet. It comes with the first run.</p>
          ))}
        {tab === 'figures' &&
          (run?.report ? (
            <>
              <MetricsTable meta={meta} metrics={run.report.metrics} />
              <ExportBar run={run} timeline={timeline} />
              {values && (
                <p className="small">
                  <a
                    href={formatHash({ page: 'run', id: meta.id, query: queryFromValues(meta, {}, values) })}
                  >
                    The same experiment on the bench, with all its controls
                  </a>
                </p>
              )}
            </>
          ) : (
            <p className="quiet">No figures yet. They come with the first run.</p>
          ))}
        {tab === 'kernel' && <SourcePane paths={meta.sources} preferred={String(values?.['kernel'] ?? '')} />}
      </div>
    </section>
  )
}

const Controls = ({ state }: { readonly state: LessonRun }) => {
  const { view } = useLab()
  const open = useStore(view.store, ({ moreOpen }) => moreOpen)
  const { meta, values, setValue } = state
  if (!values) return null
  return (
    <details
      className="more no-print"
      open={open}
      onToggle={(event) => {
        view.setMoreOpen(event.currentTarget.open)
      }}
    >
      <summary>More dials</summary>
      <ParamControls params={meta.params} values={values} onChange={setValue} />
    </details>
  )
}

export const Instrument = ({ lesson, state }: { readonly lesson: Lesson; readonly state: LessonRun }) => {
  const { lessons } = useLab()
  const { run, progress, recordedOnly, deviceFault, recordingFault, addressFault, blocked, values, meta } =
    state
  const recorded = run !== null && run.origin !== 'live'
  const [selected, setSelected] = useState<Target | null>(null)
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const trace = run?.placed?.trace
  const picked = useMemo(
    () => (trace && selected?.type === 'span' ? lineOfSpan(trace, selected.span) : null),
    [trace, selected],
  )

  // The control that was pressed is gone: the focus goes to what comes next, not back to the top of the page.
  const had = useRef(progress.prediction !== null)
  useEffect(() => {
    const has = progress.prediction !== null
    if (has === had.current) return
    had.current = has
    document.getElementById(has ? 'run-key' : 'prediction-slider')?.focus()
  }, [progress.prediction])
  const changedNames = run ? differences(meta, run.params, lesson.values) : []
  const changed = meta.params
    .filter(({ name }) => changedNames.includes(name))
    .map(({ label }) => label.toLowerCase())
  return (
    <section className="instrument" aria-label="Instrument" data-testid="instrument" id="instrument">
      {addressFault && (
        <FaultNotice fault={addressFault}>
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              state.show(lesson.values)
            }}
          >
            Use the lesson’s own values
          </button>
        </FaultNotice>
      )}
      {recordedOnly && deviceFault && !run && <FaultNotice fault={deviceFault} />}
      <Prediction
        key={`${state.asked.unit} ${progress.prediction?.kind ?? 'open'}`}
        asked={state.asked}
        stored={progress.prediction}
        answered={progress.outcome !== null}
        onPredict={(prediction) => {
          lessons.predict(lesson.id, prediction)
        }}
      >
        {run?.phase === 'done' && run.report && progress.prediction && (
          <PredictionResult
            asked={state.asked}
            prediction={progress.prediction}
            report={run.report}
            recorded={recorded}
            changed={changed}
          />
        )}
      </Prediction>
      <RunBar
        run={run}
        label={recordedOnly ? 'Play the recording' : 'Run'}
        blocked={state.loadingRecording ? 'Loading the recording.' : blocked}
        onRun={() => {
          if (recordedOnly) state.playRecording()
          else state.start()
        }}
        onCancel={state.cancel}
      >
        {!recordedOnly && blocked === null && !(run && isUnderWay(run.phase)) && (
          <button
            type="button"
            className="button button-plain button-small"
            onClick={state.playRecording}
            title="Shows a run that was recorded on another machine, for comparison"
          >
            Show the recorded run
          </button>
        )}
      </RunBar>
      {recordingFault && <FaultNotice fault={recordingFault} />}
      {!recordedOnly && <Controls state={state} />}
      <TimelineView
        run={run}
        onSelect={setSelected}
        onReady={setTimeline}
        empty={
          blocked === null
            ? `Nothing measured yet. Press ${recordedOnly ? 'Play the recording' : 'Run'}.`
            : `Nothing measured yet. First your prediction, then ${recordedOnly ? 'the recording' : 'Run'}.`
        }
      />
      {run && (
        <RunOutcome
          run={run}
          onAgain={
            recordedOnly || values === null
              ? null
              : () => {
                  state.start()
                }
          }
        />
      )}
      <Figures
        figures={run?.phase === 'done' ? run.report?.figures : undefined}
        references={findExperiment(lesson.experiment)?.references}
      />
      {recordedOnly && deviceFault && run && run.fault?.message !== deviceFault.message && (
        <FaultNotice fault={deviceFault} />
      )}
      <Details lesson={lesson} state={state} picked={picked} timeline={timeline} />
    </section>
  )
}
