/**
 * The run before beside the run after: figures with their bars, both in one picture, and the
 * charts.
 */
import type { ReactNode } from 'react'
import type { Meta } from '../../../experiments/catalog'
import type { ExcerptPlan, LessonStep } from '../../../lessons/lesson'
import type { FigureReference } from '../../../trace/figure'
import { findMetric, type Metric, type Report } from '../../../trace/report'
import type { RunState } from '../../state/run-store'
import { addressOf, lessonRoute } from '../../state/url'
import { Bar } from '../Bar'
import { Figures } from '../figure/Figures'
import { formatTogether } from '../format-rare'
import { Quantities } from '../prose/Inline'
import { SeenVerdict } from '../run/RunOutcome'
import { whereMeasured } from '../run-words'
import { ExcerptPair } from './ExcerptPanel'
import { PlayRecorded } from './NoRunYet'
import type { ScreenProps } from './use-lesson-run'

/** A figure that the step is about, in each run that is compared. */
interface Row {
  readonly name: string
  readonly variant: string
  readonly metrics: readonly (Metric | undefined)[]
}

/** @param variant as the run calls it; the step's own name where it has none of that */
const metricIn = (report: Report | null | undefined, { name, variant }: Omit<Row, 'metrics'>, as = variant) =>
  report ? (findMetric(report.metrics, name, as) ?? findMetric(report.metrics, name, variant)) : undefined

const topOf = (metric: Metric | undefined): number => Math.max(metric?.value ?? 0, metric?.high ?? 0)

/**
 * Before above after, from one zero, on one scale for a metric: how much has changed is seen before
 * it is read.
 */
const Bars = ({ metrics, most }: Pick<Row, 'metrics'> & { readonly most: number }) =>
  most > 0 &&
  metrics.every((metric) => metric?.value != null) && (
    <span className="before-after-bars stack-4">
      {metrics.map(
        (metric, at) =>
          metric?.value != null && <Bar key={at} {...metric} {...{ value: metric.value, most }} />,
      )}
    </span>
  )

/** 'Time of a step: 8 batches ahead' */
const FigureName = ({ meta, name, variant }: Omit<Row, 'metrics'> & { readonly meta: Meta }) => {
  const words = meta.inWords?.(variant)
  return (
    <>
      {meta.metrics.find((metric) => metric.name === name)?.label ?? name}
      {variant !== '' && <>: {words ? <Quantities text={words} /> : <code>{variant}</code>}</>}
    </>
  )
}

const Rows = ({ meta, rows }: { readonly meta: Meta; readonly rows: readonly Row[] }) => {
  const found = rows.flatMap(({ metrics }) => metrics)
  const texts = formatTogether(found)
  const mostOf = (name: string) =>
    Math.max(...found.map((metric) => (metric?.name === name ? topOf(metric) : 0)))
  return rows.map(({ name, variant, metrics }, row) => (
    <tr key={`${name} ${variant}`}>
      <th scope="row">
        <FigureName {...{ meta, name, variant }} />
        <Bars metrics={metrics} most={mostOf(name)} />
      </th>
      {metrics.map((metric, column) => (
        <td key={column}>
          {metric ? (
            <Quantities text={texts[row * metrics.length + column] ?? ''} />
          ) : (
            <span className="not-there quiet">not in this run</span>
          )}
          {metric && metric.variant !== variant && (
            <span className="small quiet regular">
              {' '}
              <code>{metric.variant}</code>
            </span>
          )}
        </td>
      ))}
    </tr>
  ))
}

const Head = ({ label, run }: { readonly label: string; readonly run: RunState | null }) => (
  <th scope="col">
    {label}
    {run?.report && <>: {whereMeasured(run.report, run.origin)}</>}
  </th>
)

interface StepChartsProps {
  readonly step: LessonStep
  readonly run: RunState
  readonly references: readonly FigureReference[] | undefined
  readonly children: ReactNode
}

/** The chart that the step is about, its picture, and the other charts of the run. */
export const StepCharts = ({ step, run, references, children }: StepChartsProps) => {
  const charts = run.report?.figures ?? []
  const first = charts.filter(({ id }) => id === step.chart)
  const others = charts.filter(({ id }) => id !== step.chart)
  return (
    <>
      <Figures figures={first} references={references} label="The chart of this step" />
      {children}
      <Figures figures={others} references={references} />
    </>
  )
}

interface BeforeAfterProps extends ScreenProps {
  readonly step: LessonStep
  readonly plan: ExcerptPlan
  readonly before: RunState | null
  readonly after: RunState
}

export const BeforeAfter = ({ lesson, state, step, plan, before, after }: BeforeAfterProps) => {
  const { meta } = state
  const figures = step.compare.length > 0 ? step.compare : [lesson.prediction.metric]
  const counterpartOf = (variant: string) => step.before?.[plan.variants.indexOf(variant)] ?? variant
  const was = figures.map((figure) => metricIn(before?.report, figure, counterpartOf(figure.variant)))
  // A step of other variants than the lesson's has little to stand beside.
  const compares = was.filter(Boolean).length * 2 >= figures.length
  const rows = figures.map((figure, at) => ({
    ...figure,
    metrics: [...(compares ? [was[at]] : []), metricIn(after.report, figure)],
  }))
  return (
    <div className="stack-16" data-testid="before-after">
      <table className="before-after-figures two-under">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Figure</span>
            </th>
            {compares && <Head label="before" run={before} />}
            <Head label={compares ? 'after' : 'measured'} run={after} />
          </tr>
        </thead>
        <tbody>
          <Rows {...{ meta, rows }} />
        </tbody>
      </table>
      <StepCharts {...{ step }} run={after} references={meta.references}>
        <ExcerptPair
          {...{ lesson, after, plan }}
          before={step.before?.length === 0 ? null : before}
          counterparts={step.before}
        />
        {!before && (
          <div className="button-row">
            <p className="quiet">
              To compare, <a href={addressOf(lessonRoute(lesson.id, 'predict'))}>make the lesson’s own run</a>
              .
            </p>
            <PlayRecorded {...state} />
          </div>
        )}
      </StepCharts>
      {after.report && <SeenVerdict verdict={after.report.verdict} />}
    </div>
  )
}
