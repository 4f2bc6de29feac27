/** The full instrument on the same data: every lane, tables, predictions, exports. For those who want it, one press away. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import { SourcePane, RunningProgram, usePyTorch, lineOfSpan, type ProgramLine } from '../source/Sources'
import { isUnderWay, type RunState } from '../../state/run-store'
import { addressOf } from '../../state/url'
import type { Target, Timeline } from '../../../timeline/types'
import { Figures } from '../figure/Figures'
import { useLab } from '../lab-context'
import { MetricsTable } from '../run/MetricsTable'
import { queryFromValues } from '../run/param-query'
import { RunOutcome } from '../run/RunOutcome'
import { ShareMenu } from '../run/ShareMenu'
import { TimelineView } from '../run/TimelineView'
import { Tabs } from '../Tabs'
import { useStore } from 'zustand'
import type { ScreenProps } from './use-lesson-run'
import { NoRunYet } from './NoRunYet'
import { SCREEN_START } from './use-screen-focus'
import type { Meta } from '../../../experiments/catalog'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { CodeView } from '../source/CodeView'

const IdlePanel = lazy(async () => ({ default: (await import('../idle/IdlePanel')).IdlePanel }))

interface CodePairProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly run: RunState
  /** The line that made the call of the selected span. */
  readonly lit: ProgramLine | null
}

const PyTorch = ({ lesson }: { readonly lesson: ExperimentLesson }) => (
  <CodeView title="PyTorch" lines={usePyTorch(lesson.id, lesson.pytorch)} />
)

const DIALECTS = [
  { id: 'webgpu', label: 'WebGPU' },
  { id: 'pytorch', label: 'PyTorch' },
] as const

/** What runs, and the same in PyTorch: side by side where there is room, one at a time where there is not. */
const CodePair = ({ lesson, meta, run, lit }: CodePairProps) => {
  const [dialect, setDialect] = useState<(typeof DIALECTS)[number]['id']>('webgpu')
  // A choice holds until another line is lit: what the visitor did last is shown.
  const [picked, setPicked] = useState<{ readonly variant: string; readonly over: ProgramLine | null }>()
  const variants = meta.variants(run.params)
  const chosen = picked?.over === lit ? picked.variant : undefined
  const asked = [chosen, lit?.variant, picked?.variant, lesson.prediction.metric.variant, variants[0]]
  const variant = asked.find((one) => one != null && variants.includes(one)) ?? ''
  return (
    <div className="code-pair container" data-dialect={dialect}>
      <Tabs label="Dialect" tabs={DIALECTS} shown={dialect} onShow={setDialect} className="code-pair-tabs" />
      {variants.length > 1 && (
        <label className="small code-pair-variant">
          Program of{' '}
          <select
            value={variant}
            onChange={(event) => setPicked({ variant: event.currentTarget.value, over: lit })}
          >
            {variants.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      <div className="code-pair-blocks stack-12">
        <div className="code-pair-block code-pair-webgpu">
          <Suspense fallback={<p className="quiet">Loading the code.</p>}>
            <RunningProgram {...{ meta, run, variant }} lit={lit?.variant === variant ? lit : 'hottest'} />
          </Suspense>
        </div>
        <div className="code-pair-block code-pair-pytorch">
          <Suspense fallback={<p className="quiet">Loading the code.</p>}>
            <PyTorch lesson={lesson} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

const TABS = [
  { id: 'code', label: 'Code' },
  { id: 'idle', label: 'Idle time' },
  { id: 'figures', label: 'All figures' },
  { id: 'kernel', label: 'Kernel' },
] as const
type Tab = (typeof TABS)[number]['id']

interface DetailsProps extends ScreenProps {
  readonly run: RunState
  /** The line that made the call of the span that is selected in the timeline. */
  readonly picked: ProgramLine | null
  readonly timeline: Timeline | null
}

const Details = ({ lesson, state, run, picked, timeline }: DetailsProps) => {
  const [tab, setTab] = useState<Tab>('code')
  const { meta } = state
  return (
    <section className="details stack-12" aria-label="Code and figures">
      <Tabs label="Code and figures" tabs={TABS} shown={tab} onShow={setTab} />
      <div className="shrinks stack-12">
        {tab === 'code' && <CodePair {...{ lesson, meta, run }} lit={picked} />}
        {tab === 'idle' && (
          <Suspense fallback={null}>
            <IdlePanel
              run={run}
              timeline={timeline}
              whyNot="Run it from the lesson or on the bench."
              onRun={null}
            />
          </Suspense>
        )}
        {tab === 'figures' && run.report && <MetricsTable meta={meta} metrics={run.report.metrics} />}
        {tab === 'kernel' && (
          <SourcePane paths={meta.sources} preferred={String(run.params['kernel'] ?? '')} />
        )}
      </div>
    </section>
  )
}

export const InstrumentScreen = ({ lesson, state }: ScreenProps) => {
  const { run: runs, route } = useLab()
  const place = useStore(route.store, ({ route: at }) => (at.page === 'lesson' ? at.step : ''))
  const step = place === '' ? FIRST_RUN : place
  const owner = `lessons/${runKey(lesson.id, step)}`
  const ended = state.ended(step)
  const current = useStore(runs.store)
  const run = current.owner === owner && current.placed ? current : ended
  const isRunning = isUnderWay(current.phase)
  const [selected, setSelected] = useState<Target | null>(null)
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  // A span of another run is no span of this one: its line would stay lit with nothing selected.
  const startedAt = run?.info?.startedAt
  const [shownRun, setShownRun] = useState(startedAt)
  if (shownRun !== startedAt) {
    setShownRun(startedAt)
    setSelected(null)
  }

  // What is shown is the run that the store holds. Loading there would end a run that is under way.
  useEffect(() => {
    const { owner: shown, phase } = runs.store.getState()
    const trace = ended?.placed?.trace
    if (isRunning || !ended || !trace || (shown === owner && phase === 'done')) return
    runs.load(owner, {
      trace,
      report: ended.report,
      placed: ended.placed,
      gaps: ended.gaps,
    })
  }, [runs, ended, owner, isRunning])

  const trace = run?.placed?.trace
  const picked = useMemo(
    () => (trace && selected?.type === 'span' ? lineOfSpan(trace, selected.span) : null),
    [trace, selected],
  )
  if (!run) return <NoRunYet {...{ lesson, state }} words="Nothing has been measured here yet." />
  return (
    <section
      className="instrument shrinks top stack-16"
      aria-label="Instrument"
      data-testid="instrument"
      {...SCREEN_START}
    >
      <TimelineView run={run} onSelect={setSelected} onReady={setTimeline} empty="Nothing was recorded." />
      <RunOutcome run={run} onAgain={null} />
      <div>
        <ShareMenu run={run} place={{ page: 'lesson', lesson: lesson.id, step }} />
      </div>
      <Figures figures={run.report?.figures} references={state.meta.references} />
      <Details {...{ lesson, state, run, picked, timeline }} />
      <p className="small">
        <a
          href={addressOf({
            page: 'run',
            id: state.meta.id,
            query: queryFromValues(state.meta, {}, run.params),
          })}
        >
          The same experiment on the bench, with all its controls
        </a>
      </p>
    </section>
  )
}
