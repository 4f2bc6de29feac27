/**
 * An experiment without its run: a question and one parameter schema. The schema alone drives the
 * controls, the URL, the command line and the checks on input. It is safe on the main thread;
 * `runners.ts` has the half that runs.
 */
import { type Fault, fail, succeed, type Result } from '../base/fault'
import type { FigureReference } from '../trace/figure'
import type { GapCause } from '../trace/gaps'

interface ParamBase<Name extends string> {
  readonly name: Name
  /** A control has this label. */
  readonly label: string
  /** One sentence: what it does. */
  readonly help: string
  /** 'dial' is the one control a lesson step shows; the rest stand behind 'more'. */
  readonly place: 'dial' | 'more'
}
export interface NumberParam<Name extends string = string> extends ParamBase<Name> {
  readonly type: 'number'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly integer: boolean
  readonly unit: string
  /** Controls step through these; any value in the range is accepted. */
  readonly scale: 'linear' | 'log2'
}
export interface Option<Value extends string = string> {
  readonly value: Value
  readonly label: string
}
export interface ChoiceParam<
  Name extends string = string,
  Value extends string = string,
> extends ParamBase<Name> {
  readonly type: 'choice'
  readonly default: Value
  readonly options: readonly Option<Value>[]
}
/**
 * A set of options, in the order given. Written 'a,b,c'. None at all is a value only where it is
 * the default.
 */
export interface ListParam<
  Name extends string = string,
  Value extends string = string,
> extends ParamBase<Name> {
  readonly type: 'list'
  readonly default: readonly Value[]
  readonly options: readonly Option<Value>[]
}
export type Param = NumberParam | ChoiceParam | ListParam
/** No parameter is a boolean, but a file may hold one: parseParams refuses it. */
export type ParamValue = number | string | boolean | readonly string[]
export type ParamValues = Readonly<Record<string, ParamValue>>

type OptionOf<P> = P extends { readonly options: readonly { readonly value: infer Value }[] } ? Value : never
type ValueOf<P extends Param> = P extends { readonly type: 'number' }
  ? number
  : P extends { readonly type: 'choice' }
    ? OptionOf<P>
    : readonly OptionOf<P>[]
/**
 * The values that a schema describes, by name: `values.read` is 'item' | 'matrix' where these are
 * its options.
 */
export type ValuesOf<Params extends readonly Param[]> = {
  readonly [P in Params[number] as P['name']]: ValueOf<P>
}

/**
 * A variant in which one cause of idle time of another is gone: it puts a prediction of what that
 * would bring to the test.
 */
export interface Remedy {
  readonly variant: string
  readonly cause: Exclude<GapCause, 'unknown' | 'rank-waited'>
  /** The variant without the cause. */
  readonly by: string
  /** The sentence 'In <by>, …' goes on with this change: 'nothing is read until the end'. */
  readonly change: string
  /** Values with which a run measures both. */
  readonly values: ParamValues
  /**
   * The cause need have no gap of its own: a read exposes the host's work, and the gap is the
   * work's.
   */
  readonly exposes?: boolean
}

export interface MetricMeta {
  readonly name: string
  readonly label: string
  /** A ratio that is read as 'times as long', not as a share. */
  readonly isFactor?: boolean
}

export interface ExperimentMeta {
  readonly id: string
  readonly title: string
  readonly question: string
  readonly params: readonly Param[]
  /** Values of a run that is small enough for a test on a software adapter. */
  readonly short: ParamValues
  /** Files whose source the page shows, relative to the project: 'shaders/matmul/tiled.wgsl'. */
  readonly sources: readonly string[]
  /** Metrics in the order of a table. The first is the headline. */
  readonly metrics: readonly MetricMeta[]
  /**
   * A lesson's words for a variant whose name is a code: 'the ring with 4 MiB'. Null, or left out:
   * its name is a word.
   */
  readonly inWords?: (variant: string) => string | null
  /** Points recorded elsewhere that the page adds to a figure of a run. */
  readonly references?: readonly FigureReference[]
  /**
   * An experiment whose variants mend none of the others has none. The first one for a variant and
   * cause is offered; any that was run counts.
   */
  readonly remedies?: readonly Remedy[]
}

/** A value from anywhere, as a message shows it. Objects may have no toString() that works. */
function show(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(show).join(',')
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

const parameterFault = (name: string, value: unknown, wanted: string): Fault => ({
  code: 'parameter',
  message: `Parameter '${name}' must be ${wanted}; got '${show(value)}'.`,
  data: { parameter: name, value: show(value), wanted },
})

/**
 * Describes in words what values a parameter takes: 'an integer from 1 to 512', 'one of item,
 * matrix'.
 */
export function describeRange(param: Param): string {
  switch (param.type) {
    case 'number': {
      const kind = param.integer ? 'an integer' : 'a number'
      return `${kind} from ${String(param.min)} to ${String(param.max)}${param.unit ? ` (${param.unit})` : ''}`
    }
    case 'choice':
      return `one of ${param.options.map((option) => option.value).join(', ')}`
    case 'list':
      return `a comma-separated list of ${param.options.map((option) => option.value).join(', ')}${param.default.length === 0 ? ', or nothing' : ''}`
  }
}

function parseOne(param: Param, raw: unknown): Result<ParamValue> {
  const refuse = fail(parameterFault(param.name, raw, describeRange(param)))
  switch (param.type) {
    case 'number': {
      // Number('') is 0 and Number(' 5') is 5: a blank is not a number here.
      if (typeof raw === 'string' && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw)) return refuse
      const value = typeof raw === 'number' ? raw : typeof raw === 'string' ? Number(raw) : Number.NaN
      const fits = Number.isFinite(value) && value >= param.min && value <= param.max
      return fits && (!param.integer || Number.isInteger(value)) ? succeed(value) : refuse
    }
    case 'choice':
      return param.options.some((option) => option.value === raw) ? succeed(raw as string) : refuse
    case 'list': {
      const values = Array.isArray(raw) ? raw : typeof raw === 'string' && raw !== '' ? raw.split(',') : []
      // Neither an array nor a string is no list, not an empty one.
      if (!Array.isArray(raw) && typeof raw !== 'string') return refuse
      const known = values.every((value) => param.options.some((option) => option.value === value))
      const distinct = new Set(values).size === values.length
      const enough = values.length > 0 || param.default.length === 0
      return enough && known && distinct ? succeed(values as readonly string[]) : refuse
    }
  }
}

/**
 * Values from anywhere (URL, command line, controls) checked against the schema; defaults fill what
 * is not given. The first bad one is a fault naming parameter, range and value, and nothing runs.
 */
export function parseParams<const Params extends readonly Param[]>(
  meta: { readonly id: string; readonly params: Params },
  raw: Readonly<Record<string, unknown>>,
): Result<ValuesOf<Params>> {
  const known = new Set(meta.params.map((param) => param.name))
  for (const name of Object.keys(raw)) {
    if (known.has(name)) continue
    return fail({
      code: 'parameter',
      message: `Experiment '${meta.id}' has no parameter '${name}'; it has ${[...known].join(', ')}.`,
      data: { parameter: name },
    })
  }
  const values: Record<string, ParamValue> = {}
  for (const param of meta.params) {
    if (!Object.hasOwn(raw, param.name)) {
      values[param.name] = param.default
      continue
    }
    const parsed = parseOne(param, raw[param.name])
    if (!parsed.ok) return parsed
    values[param.name] = parsed.value
  }
  // Each value was checked against its own parameter, which is what ValuesOf states.
  return succeed(values as ValuesOf<Params>)
}

/** A value as the URL and the command line write it; parseParams reads it back. */
export const formatParam = (value: ParamValue): string =>
  typeof value === 'object' ? value.join(',') : String(value)
