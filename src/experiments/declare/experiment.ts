/**
 * An experiment as a declaration: parameters, variants and metrics in its meta.ts, rules in its
 * verdict.md. The types of `values` follow from the parameters; consumers that know no experiment
 * by name see the erased `Declaration`.
 */
import type { ReportFigure } from '../../trace/figure'
import type { Metric, VerdictOutcome } from '../../trace/report'
import {
  parseParams,
  type ExperimentMeta,
  type MetricMeta,
  type Param,
  type ParamValues,
  type Remedy,
  type ValuesOf,
} from '../experiment'
import type { Evidence } from '../run-types'
import type { Condition } from '../../text/condition'
import type { Facts, Names } from '../../text/facts'
import { declareMetrics, measureMetrics, metricKeys, type WrittenMetrics } from './metric'
import type { Card } from '../../text/card'
import type { Text } from '../../text/template'
import { byId } from '../../base/lists'

/**
 * One of an experiment's ordered rules: it decides a verdict, and holds its sentence and the cards
 * that explain it.
 */
export interface Rule {
  /**
   * A name for machines, unique in its experiment: 'stall-dominates'. Reports save it, so it stays.
   */
  readonly reason: string
  readonly outcome: Exclude<VerdictOutcome, 'invalid'>
  readonly when: Condition
  /**
   * The verdict: one or two sentences with figures; also why not on this machine, or what to
   * change.
   */
  readonly text: Text
  /** The explanation; figures are quoted with their bounds. */
  readonly explain: readonly Card[]
}

/** Traces and reports hold the ids of variants alone. */
export interface Variant {
  /** Traces and reports have it: it stays. */
  readonly id: string
  /** The experiment's program that it runs, without '.js'; left out, its own id. */
  readonly program?: string
  /** A lesson's words for it, if its id is a code: 'the ring with 4 MiB'. */
  readonly words?: string
}

/** In `by` a cause of idle time of `variant` is gone; `values`: with which a run measures both. */
export const remedy = (
  variant: string,
  cause: Remedy['cause'],
  by: string,
  change: string,
  values: ParamValues = {},
): Remedy => ({ variant, cause, by, change, values })
/** The change of one to several staging buffers. */
export const OTHERS_FLY = 'the next staging buffer is filled while the one before it is in flight'

/** Facts of a run, or of its model. */
type RunOfFigures = Pick<Evidence, 'params' | 'derived'>

interface Written<Params extends readonly Param[]> extends Omit<ExperimentMeta, 'metrics'> {
  readonly params: Params
  /** All variants that it can have, where more than their ids is said of them. */
  readonly all?: readonly Variant[]
  /** Ids of the variants of a run, in the order in which a repeat measures them. */
  readonly variants: (values: ValuesOf<Params>) => readonly string[]
  /** The experiment's program that a variant runs, if that depends on the values. */
  readonly program?: (variant: string, values: ValuesOf<Params>) => string | undefined
  /** Names for variants and words that depend on the run. */
  readonly names?: (facts: Facts, values: ValuesOf<Params>) => Names
  readonly metrics: WrittenMetrics<ValuesOf<Params>>
  /** Charts of the metrics, where a table does not show it. */
  readonly figures?: (metrics: readonly Metric[], run: RunOfFigures) => readonly ReportFigure[]
}

/** All experiments have this in common once their parameters' types are erased. */
export interface Declaration extends ExperimentMeta {
  readonly metrics: readonly (MetricMeta & Pick<Metric, 'unit'>)[]
  readonly variants: (values: ParamValues) => readonly string[]
  readonly program: (variant: string, values: ParamValues) => string
  /** The metrics that a run with these values reports, each with its variant. */
  readonly metricKeys: (values: ParamValues) => readonly { readonly name: string; readonly variant: string }[]
  readonly names: (facts: Facts) => Names
  /**
   * The rules of verdict.md, in order: the first whose condition holds decides, and the last always
   * holds.
   */
  readonly rules: readonly Rule[]
  readonly measure: (evidence: Evidence) => readonly Metric[]
  /** Charts of a run; none where nothing was measured that they show. */
  readonly figures: (metrics: readonly Metric[], run: RunOfFigures) => readonly ReportFigure[]
}

/**
 * A meta.ts declares this: it has no rules, and the types of its parameters for its own
 * `prepare.ts`.
 */
export interface Experiment<Params extends readonly Param[]> extends Omit<Declaration, 'rules'> {
  readonly params: Params
  /** The values with their types; a default for each that is not of this schema. */
  readonly valuesOf: (params: ParamValues) => ValuesOf<Params>
}

/** Throws where a metric's unit is none that its sampler yields. */
export function defineExperiment<const Params extends readonly Param[]>(
  written: Written<Params>,
): Experiment<Params> {
  const metrics = declareMetrics(written.metrics)
  const found = byId(written.all ?? [])
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
    inWords: (variant) => written.inWords?.(variant) ?? found(variant)?.words ?? null,
    program: (variant, params) =>
      written.program?.(variant, valuesOf(params)) ?? found(variant)?.program ?? variant,
    metricKeys: (params) => {
      const values = valuesOf(params)
      return metricKeys(metrics, written.variants(values), values)
    },
    names: (facts) => written.names?.(facts, valuesOf(effective(facts))) ?? {},
    measure: (evidence) => measureMetrics(metrics, evidence, valuesOf(effective(evidence))),
    figures: (metrics, run) => written.figures?.(metrics, run) ?? [],
  }
}

/**
 * Steps and repeats as they were run: fewer than asked for where those would not have fitted the
 * time.
 */
const effective = ({ params, derived }: Pick<Evidence, 'params' | 'derived'>): ParamValues => ({
  ...params,
  ...Object.fromEntries(
    ['steps', 'repeats'].flatMap((name) =>
      name in params && name in derived ? [[name, derived[name] ?? 0]] : [],
    ),
  ),
})

/**
 * A saved report may hold parameters, or values, that this version no longer has: their defaults
 * stand for them.
 */
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
