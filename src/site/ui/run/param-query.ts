/** Parameter values <-> the query of an address: only what differs from the values that a page stands for is written. Pure. */
import type { Result } from '../../../base/result'
import {
  formatParam,
  parseParams,
  type ExperimentMeta,
  type ParamValues,
} from '../../../experiments/experiment'
import type { Query } from '../../state/url'

/** Values of an address over those of the page; the first bad one is a fault, and nothing runs. */
export const valuesFromQuery = (meta: ExperimentMeta, base: ParamValues, query: Query): Result<ParamValues> =>
  parseParams(meta, { ...base, ...query })

const isSameValue = (a: ParamValues[string] | undefined, b: ParamValues[string] | undefined): boolean =>
  a !== undefined && b !== undefined && formatParam(a) === formatParam(b)

/** Names of the parameters in which two sets of values differ. */
export const differences = (meta: ExperimentMeta, a: ParamValues, b: ParamValues): readonly string[] =>
  meta.params
    .map(({ name }) => name)
    .filter((name) => !isSameValue(a[name] ?? defaultOf(meta, name), b[name] ?? defaultOf(meta, name)))

const defaultOf = (meta: ExperimentMeta, name: string) =>
  meta.params.find((param) => param.name === name)?.default

export const queryFromValues = (meta: ExperimentMeta, base: ParamValues, values: ParamValues): Query =>
  Object.fromEntries(
    differences(meta, base, values).map((name) => [
      name,
      formatParam(values[name] ?? defaultOf(meta, name) ?? ''),
    ]),
  )
