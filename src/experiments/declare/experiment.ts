/**
 * An experiment as a declaration: parameters, variants, metrics and rules, all in its meta.ts. The types of `values` follow from the
 * parameters; consumers that know no experiment by name see the erased `Declaration`.
 */
import type { ReportFigure } from '../../trace/figure'
import type { Metric } from '../../trace/report'
import { parseParams, type ExperimentMeta, type Param, type ParamValues, type ValuesOf } from '../experiment'
import type { Evidence } from '../run-types'
import type { Facts, Names } from './facts'
import {
  checkMetric,
  declareMetrics,
  measureMetrics,
  metricKeys,
  type MetricDeclaration,
  type WrittenMetrics,
} from './metric'
import type { Rule } from './rule'

type OldMetrics<Params extends readonly Param[]> = readonly MetricDeclaration<ValuesOf<Params>>[]
type NewMetrics<Params extends readonly Param[]> = WrittenMetrics<ValuesOf<Params>>
interface WithRules {
  readonly rules: readonly Rule[]
}

interface Written<
  Params extends readonly Param[],
  Metrics = OldMetrics<Params> | NewMetrics<Params>,
> extends Omit<ExperimentMeta, 'metrics'> {
  readonly params: Params
  /** Names of the variants, in the order in which a repeat measures them. */
  readonly variants: (values: ValuesOf<Params>) => readonly string[]
  /** Which of the experiment's programs a variant runs, without '.js'; the variant's own name where left out. */
  readonly program?: (variant: string, values: ValuesOf<Params>) => string
  /** Names for variants and words that depend on the run. */
  readonly names?: (facts: Facts, values: ValuesOf<Params>) => Names
  readonly metrics: Metrics
  /** How metrics of the measured variants are listed in a report; by variant where left out. */
  readonly metricOrder?: 'by-variant' | 'by-metric'
  /** Charts of the metrics, where a table does not show it. */
  readonly figures?: (metrics: readonly Metric[], evidence: Evidence) => readonly ReportFigure[]
}

/** What all experiments have in common once their parameters' types are erased. */
export interface Declaration extends ExperimentMeta {
  readonly variants: (values: ParamValues) => readonly string[]
  readonly program: (variant: string, values: ParamValues) => string
  /** The metrics that a run with these values reports, each with its variant. */
  readonly metricKeys: (values: ParamValues) => readonly { readonly name: string; readonly variant: string }[]
  readonly names: (facts: Facts) => Names
  /** In order: the first whose condition holds decides. The last always holds. From verdict.md. */
  readonly rules: readonly Rule[]
  readonly measure: (evidence: Evidence) => readonly Metric[]
  readonly figures: (metrics: readonly Metric[], evidence: Evidence) => readonly ReportFigure[]
}

/** What a meta.ts declares: without its rules, and with the types of its parameters, for its own `prepare.ts`. */
export interface Experiment<Params extends readonly Param[]> extends Omit<Declaration, 'rules'> {
  readonly params: Params
  /** The values with their types; a default for each that is not of this schema. */
  readonly valuesOf: (params: ParamValues) => ValuesOf<Params>
}

const isList = <Params extends readonly Param[]>(
  metrics: OldMetrics<Params> | NewMetrics<Params>,
): metrics is OldMetrics<Params> => Array.isArray(metrics)

/** Throws where a metric's sampler does not yield what is declared, or a name is declared twice. */
export function defineExperiment<const Params extends readonly Param[]>(
  written: Written<Params, OldMetrics<Params>> & WithRules,
): Experiment<Params> & WithRules
export function defineExperiment<const Params extends readonly Param[]>(
  // One signature for both forms of metrics would leave their functions without types. It goes with the old form.
  // eslint-disable-next-line @typescript-eslint/unified-signatures
  written: Written<Params, NewMetrics<Params>> & WithRules,
): Experiment<Params> & WithRules
export function defineExperiment<const Params extends readonly Param[]>(
  written: Written<Params, NewMetrics<Params>>,
): Experiment<Params>
export function defineExperiment<const Params extends readonly Param[]>(
  written: Written<Params>,
): Experiment<Params> {
  const metrics = isList<Params>(written.metrics) ? written.metrics : declareMetrics(written.metrics)
  for (const metric of metrics) checkMetric(metric)
  const metricNames = metrics.map(({ name }) => name)
  if (new Set(metricNames).size < metricNames.length)
    throw new Error(`Experiment '${written.id}' declares a metric twice.`)
  const valuesOf = (params: ParamValues): ValuesOf<Params> => {
    const parsed = parseParams(written, acceptable(written, params))
    if (!parsed.ok) throw new Error(parsed.error.message)
    return parsed.value
  }
  return {
    ...written,
    metrics,
    valuesOf,
    variants: (params) => written.variants(valuesOf(params)),
    program: (variant, params) => written.program?.(variant, valuesOf(params)) ?? variant,
    metricKeys: (params) => {
      const values = valuesOf(params)
      return metricKeys(metrics, written.variants(values), values)
    },
    names: (facts) => written.names?.(facts, valuesOf(effective(facts))) ?? {},
    measure: (evidence) =>
      measureMetrics(metrics, evidence, valuesOf(effective(evidence)), written.metricOrder),
    figures: (metrics, evidence) => written.figures?.(metrics, evidence) ?? [],
  }
}

/** Steps and repeats as they were run: fewer than asked for where those would not have fitted the time. */
const effective = ({ params, derived }: Pick<Evidence, 'params' | 'derived'>): ParamValues => ({
  ...params,
  ...Object.fromEntries(
    ['steps', 'repeats'].flatMap((name) =>
      name in params && name in derived ? [[name, derived[name] ?? 0]] : [],
    ),
  ),
})

/** A saved report may hold parameters, or values, that this version no longer has: their defaults stand for them. */
const acceptable = (
  { id, params }: Pick<ExperimentMeta, 'id' | 'params'>,
  values: ParamValues,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    params.flatMap((param) => {
      const given = { [param.name]: values[param.name] }
      return parseParams({ id, params: [param] }, given).ok ? Object.entries(given) : []
    }),
  )

export const measureAll = (
  declaration: Pick<Declaration, 'measure'>,
  evidence: Evidence,
): readonly Metric[] => declaration.measure(evidence)

/** Charts of a run; none where nothing was measured that they show. */
export const figuresOf = (
  declaration: Pick<Declaration, 'figures'>,
  metrics: readonly Metric[],
  evidence: Evidence,
): readonly ReportFigure[] => declaration.figures(metrics, evidence)
