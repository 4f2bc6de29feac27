/** One change: one control, one Run, the conclusion, and the run before beside the run after; the others are links below. */
import { useContext, useMemo, useState } from 'react'
import type { LessonStep, ExcerptPlan } from '../../../lessons/lesson'
import { partsFor } from '../../../text/template'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { Guessed } from '../../state/lesson-store'
import { isUnderWay, type RunState } from '../../state/run-store'
import { formatParam, type ParamValues } from '../../../experiments/experiment'
import type { Meta } from '../../../experiments/catalog'
import { addressOf, lessonRoute } from '../../state/url'
import type { ReportFigure } from '../../../trace/figure'
import { findMetric, type Metric, type Report } from '../../../trace/report'
import { FaultNotice } from '../FaultNotice'
import { Figures } from '../figure/Figures'
import { formatTogether } from '../format-rare'
import { Inline, Quantities } from '../prose/Inline'
import { ReadingContext, Prose } from '../prose/Prose'
import { ParamControls } from '../run/ParamControls'
import { differences } from '../run/param-query'
import { SeenVerdict } from '../run/RunOutcome'
import { whereMeasured } from '../run-words'
import { Bar } from '../Bar'
import { AskGuess, GuessResult } from './Guess'
import { ShareMenu } from '../run/ShareMenu'
import { planOf } from './step-plan'
import { NoRunYet, PlayRecorded, RunStage } from './NoRunYet'
import { ExcerptPair, ExcerptPanel } from './ExcerptPanel'
import type { ScreenProps } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'
import { useShownAtEnd } from './use-screen-focus'
import { Button } from '../Button'

interface StepProps extends ScreenProps {
  readonly step: LessonStep
}

const topOf = ({ value, high }: Metric): number => Math.max(value ?? 0, high ?? 0)

/** Before above after, from one zero, on one scale for a metric: how much has changed is seen before it is read. Nothing where one of them is not there. */
const PairOfBars = ({
  metrics,
  most,
}: {
  readonly metrics: readonly (Metric | null | undefined)[]
  readonly most: number
}) => {
  if (!(most > 0) || metrics.some((metric) => metric?.value == null)) return null
  return (
    <span className="before-after-bars stack-4">
      {metrics.map(
        (metric, at) =>
          metric?.value != null && <Bar key={at} {...metric} {...{ value: metric.value, most }} />,
      )}
    </span>
  )
}

/** A run, and what a variant of the step is called in it. */
interface Column {
  readonly report: Report | null
  readonly of: (variant: string) => string
}

const figureIn = ({ report, of }: Column, { name, variant }: LessonStep['compare'][number]) =>
  report && (findMetric(report.metrics, name, of(variant)) ?? findMetric(report.metrics, name, variant))

interface FigureNameProps {
  readonly meta: Meta
  readonly figure: LessonStep['compare'][number]
}

/** 'Time of a step: 8 batches ahead' */
const FigureName = ({ meta, figure: { name, variant } }: FigureNameProps) => {
  const words = meta.inWords?.(variant)
  return (
    <>
      {meta.metrics.find((metric) => metric.name === name)?.label ?? name}
      {variant !== '' && <>: {words ? <Quantities text={words} /> : <code>{variant}</code>}</>}
    </>
  )
}

interface FigureRowsProps {
  readonly meta: Meta
  readonly figures: LessonStep['compare']
  readonly runs: readonly Column[]
}

/** The figures that the step is about, before and after. */
const FigureRows = ({ meta, figures, runs }: FigureRowsProps) => {
  const found = figures.flatMap((figure) => runs.map((run) => figureIn(run, figure)))
  const texts = formatTogether(found.map((metric) => metric ?? undefined))
  return figures.map(({ name, variant }, row) => (
    <tr key={`${name} ${variant}`}>
      <th scope="row">
        <FigureName meta={meta} figure={{ name, variant }} />
        <PairOfBars
          metrics={found.slice(row * runs.length, (row + 1) * runs.length)}
          most={Math.max(...found.map((metric) => (metric?.name === name ? topOf(metric) : 0)))}
        />
      </th>
      {runs.map((_, column) => {
        const at = row * runs.length + column
        const metric = found[at]
        return (
          <td key={column}>
            {metric ? (
              <>
                <Quantities text={texts[at] ?? ''} />
                {metric.variant !== variant && (
                  <span className="small quiet regular">
                    {' '}
                    <code>{metric.variant}</code>
                  </span>
                )}
              </>
            ) : (
              <span className="not-there quiet">not in this run</span>
            )}
          </td>
        )
      })}
    </tr>
  ))
}

/** The one that the step is about, if there is one, and the others. */
function chartsOf({ report }: RunState, { chart }: LessonStep): readonly [ReportFigure[], ReportFigure[]] {
  const charts = report?.figures ?? []
  return [charts.filter(({ id }) => id === chart), charts.filter(({ id }) => id !== chart)]
}

const Origin = ({ run }: { readonly run: RunState }) =>
  run.report && <>: {whereMeasured(run.report, run.origin)}</>

const BeforeAfter = ({
  lesson,
  state,
  step,
  before,
  after,
}: StepProps & {
  readonly before: RunState | null
  readonly after: RunState
}) => {
  const { meta } = state
  const plan = useMemo(() => planOf(lesson, step), [lesson, step])
  const figures = step.compare.length > 0 ? step.compare : [lesson.prediction.metric]
  const [first, others] = chartsOf(after, step)
  const counterparts: Column = {
    report: before?.report ?? null,
    of: (variant) => step.before?.[plan.variants.indexOf(variant)] ?? variant,
  }
  // A step of other variants than the lesson's has little to stand beside.
  const known = figures.filter((figure) => figureIn(counterparts, figure)).length
  const compares = known * 2 >= figures.length
  const measured: Column = { report: after.report, of: (variant) => variant }
  return (
    <div className="stack-16" data-testid="before-after">
      <table className="before-after-figures two-under">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Figure</span>
            </th>
            {compares && (
              <th scope="col">
                before
                {before && <Origin run={before} />}
              </th>
            )}
            <th scope="col">
              {compares ? 'after' : 'measured'}
              <Origin run={after} />
            </th>
          </tr>
        </thead>
        <tbody>
          <FigureRows {...{ meta, figures }} runs={compares ? [counterparts, measured] : [measured]} />
        </tbody>
      </table>
      <Figures figures={first} references={meta.references} label="The chart of this step" />
      <ExcerptPair {...{ lesson, before, after, plan }} counterparts={step.before} />
      {!before && (
        <div className="button-row">
          <p className="quiet">
            To compare, <a href={addressOf(lessonRoute(lesson.id, 'predict'))}>make the lesson’s own run</a>.
          </p>
          <PlayRecorded {...state} />
        </div>
      )}
      <Figures figures={others} references={meta.references} first={first.length + 1} />
      {after.report && <SeenVerdict verdict={after.report.verdict} />}
    </div>
  )
}

/** A step that looks at the lesson's own run. */
const Look = ({
  lesson,
  meta,
  step,
  plan,
  run,
}: Pick<StepProps, 'lesson' | 'step'> & {
  readonly meta: Meta
  readonly plan: ExcerptPlan
  readonly run: RunState
}) => {
  const [first, others] = chartsOf(run, step)
  return (
    <>
      <Figures figures={first} references={meta.references} label="The chart of this step" />
      <ExcerptPanel {...{ lesson, meta, plan, run }} isCloser />
      <Figures figures={others} references={meta.references} first={first.length + 1} />
    </>
  )
}

/** What the run shows of the change. */
const Conclusion = ({ step }: { readonly step: LessonStep }) => {
  const parts = partsFor(step.lookFor ?? [], useContext(ReadingContext))
  return parts.length > 0 ? (
    <div className="conclusion" data-testid="conclusion">
      <Prose text={parts} />
    </div>
  ) : null
}

/** What is set and guessed before a run of the step, and how it stands. */
function useStepRun({ lesson, state, step }: StepProps) {
  const { action } = step
  const { meta, recordedOnly, loadingRecording } = state
  const plan = useMemo(() => planOf(lesson, step), [lesson, step])
  const before = state.ended(FIRST_RUN)
  const after = state.ended(step.id)
  const underWay = state.underWay(step.id)
  const dial = meta.params.find(({ name }) => name === action?.dial)
  const chosen = action ? state.valuesOf(step) : null
  const plays = state.playsFirst(step.id)
  // A recorded step has fewer repeats than a run here.
  const changed =
    after && chosen && !(plays && after.origin === 'recorded') ? differences(meta, after.params, chosen) : []
  const isRunning = underWay !== null && isUnderWay(underWay.phase)
  const isBusy = loadingRecording || isRunning
  const kept = state.progress.guesses?.[step.id] ?? null
  // What is shown already cannot be guessed any more; with another setting it is asked anew.
  const isAsked = after === null || (!recordedOnly && changed.length > 0)
  const asks = step.guess !== undefined && isAsked
  const [draft, setDraft] = useState<{ readonly said: Guessed; readonly after: RunState | null } | null>(null)
  const drafted = draft?.after === after ? draft.said : null
  const run = () => {
    const said = asks ? drafted : kept
    if (plays) state.playRecording(step.id, said)
    else if (chosen) state.start(step.id, chosen, said)
  }
  const say = (said: Guessed) => setDraft({ said, after })
  const runs = { before, after, underWay, isRunning, isBusy, kept, run }
  return { plan, dial, chosen, plays, changed, asks, drafted, say, ...runs }
}

type ActionProps = StepProps & ReturnType<typeof useStepRun>

const Action = (props: ActionProps) => {
  const { lesson, state, step, after, run, plays, changed, isBusy } = props
  const { dial, chosen, asks, drafted, say } = props
  const { recordedOnly } = state
  // What was asked is gone with the run, and what it came to has its place.
  const shownAtEnd = useShownAtEnd(isBusy)
  return (
    <div className="change-action stack-16 no-print">
      {dial && chosen && !recordedOnly && (
        <ParamControls
          params={[dial]}
          values={chosen}
          onChange={(name, value) => state.setValueOf(step, name, value)}
        />
      )}
      {asks && step.guess && <AskGuess guess={step.guess} said={drafted} onSay={say} />}
      <div ref={shownAtEnd} className="button-row">
        <Button
          id="run-key"
          look="main"
          label={plays ? 'Play the recording' : after ? 'Run it again' : 'Run it'}
          isOff={isBusy || (chosen === null && !plays)}
          onClick={run}
        />
        {after && <ShareMenu run={after} place={{ page: 'lesson', lesson: lesson.id, step: step.id }} />}
        {!recordedOnly && changed.length > 0 && (
          <span className="small quiet">The result below was run with a different setting.</span>
        )}
      </div>
    </div>
  )
}

const Open = (props: StepProps) => {
  const { lesson, state, step } = props
  const { action } = step
  const { meta, recordingFault } = state
  const its = useStepRun(props)
  const { plan, before, after, underWay, isRunning, kept, run } = its
  return (
    <ReadingContext value={state.readingOf(action ? after : before)}>
      <section className="stack-16" aria-labelledby={`heading-${step.id}`}>
        <h2 id={`heading-${step.id}`} {...SCREEN_START}>
          {step.heading}
        </h2>
        <Prose text={step.text} />
        {action && <Action {...props} {...its} />}
        {action && recordingFault && <FaultNotice fault={recordingFault} />}
        {underWay && <RunStage run={underWay} onCancel={state.cancel} onAgain={run} />}
        {!isRunning && after?.report && step.guess && kept && (
          <GuessResult
            {...{ guess: step.guess, said: kept }}
            before={before?.report ?? null}
            after={after.report}
          />
        )}
        {!isRunning && (after ?? (!action && before)) && <Conclusion step={step} />}
        {!isRunning && after && <BeforeAfter {...{ lesson, state, step, before, after }} />}
        {!action && before && <Look {...{ lesson, meta, step, plan }} run={before} />}
        {!action && !before && (
          <NoRunYet
            {...{ lesson, state }}
            words="This step looks at the lesson’s own run, and there is none here yet."
          />
        )}
      </section>
    </ReadingContext>
  )
}

const queryOf = (values: ParamValues) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatParam(value)]))

export const ChangeScreen = ({ lesson, state }: ScreenProps) => {
  const step = lesson.steps.find(({ id }) => id === state.step)
  return (
    <div className="change stack">
      {step && <Open key={step.id} lesson={lesson} state={state} step={step} />}
      <nav className="change-others no-print stack-8" aria-labelledby="other-changes">
        <h2 id="other-changes" className="size-3">
          Other changes
        </h2>
        <ul className="stack-6">
          {lesson.steps
            .filter(({ id }) => id !== state.step)
            .map(({ id, heading }) => (
              <li key={id}>
                <a href={addressOf(lessonRoute(lesson.id, 'change', id))}>{heading}</a>
              </li>
            ))}
          {lesson.tryNext.map(({ label, values, why }) => (
            <li key={label}>
              <a
                href={addressOf({
                  page: 'run',
                  id: lesson.experiment,
                  query: queryOf({ ...lesson.values, ...values }),
                })}
              >
                {label}
              </a>
              <span className="small quiet">
                {' '}
                <Inline text={why} />
              </span>
            </li>
          ))}
        </ul>
      </nav>
      <div className="button-row no-print">
        <a className="button" href={addressOf(lessonRoute(lesson.id, 'why'))}>
          Next: why
        </a>
      </div>
    </div>
  )
}
