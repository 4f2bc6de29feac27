/**
 * A lesson's or an experiment's figures.ts is written with these: figures of the facts and
 * conditions on them, each with a name that the Markdown beside it can say. It runs while the site
 * is built. Types keep a time from being held against a rate.
 *
 *     const step = metric('step-ms')
 *     export const figures = defineFigures({
 *       stepOften: step('$often'),
 *       timesAsLong: step('$often').over(step('never')).as('times'),
 *       slower: step('never').below(step('$often')),
 *     })
 */
import type { Condition } from './condition'
import type { Figure, Operator, Unit } from './figure'
import type { Format, Quoted } from './template'

type Dimension = 'time' | 'rate' | 'flops' | 'bytes' | 'plain'

/** A figure by the end of its name, as figure.ts has it. */
type OfMetric<Name> = Name extends `${string}-${'ms' | 'us' | 'ns'}`
  ? 'time'
  : Name extends `${string}gb-per-s`
    ? 'rate'
    : Name extends `${string}gflops`
      ? 'flops'
      : Name extends `${string}-bytes`
        ? 'bytes'
        : 'plain'

/**
 * A field of JSON by the end of its name, its own or the nearest one above it, as
 * vite/json-figures.ts has it.
 */
type OfField<Name> = Name extends `${string}${'Ms' | 'Us'}` | 'ms' | 'us'
  ? 'time'
  : Name extends `${string}GBs`
    ? 'rate'
    : Name extends `${string}${'KiB' | 'MiB' | 'Kib' | 'Mib' | 'Bytes'}` | 'kib' | 'mib' | 'bytes'
      ? 'bytes'
      : 'plain'
type Bare<Path> = Path extends `${infer Before}[${string}]${infer After}` ? `${Before}${Bare<After>}` : Path
type Nearest<Path> = Path extends `${infer Above}.${infer Below}`
  ? Nearest<Below> extends 'plain'
    ? OfField<Above>
    : Nearest<Below>
  : OfField<Path>
type OfPath<Path extends string> = Path extends `${infer Place}@${string}`
  ? OfPath<Place>
  : Path extends `${'param' | 'derived'}.${infer Fact}`
    ? OfFact<Fact>
    : OfMetric<Path> extends 'plain'
      ? Nearest<Bare<Path>>
      : OfMetric<Path>
type OfFact<Name> = Name extends `${string}Ms` ? 'time' : 'plain'

type Product<A, B> = A extends 'plain' ? B : B extends 'plain' ? A : never
type Quotient<A, B> = A extends B
  ? 'plain'
  : B extends 'plain'
    ? A
    : [A, B] extends ['bytes', 'time']
      ? 'rate'
      : [A, B] extends ['bytes', 'rate']
        ? 'time'
        : never

/** Values without a common unit can't be combined. */
type Has<Result, Other> = [Result] extends [never] ? never : Other

/** A figure of any dimension. */
export interface Made {
  readonly figure: Figure
}

/** A plain number is one of JavaScript, and nothing has every unit. */
type Operand<D> = Value<D> | 0 | ('plain' extends D ? number : never)

/** A figure to work with. */
export class Value<D> {
  readonly figure: Figure
  /** Two of other dimensions are of other types. */
  declare readonly dimension: D

  constructor(figure: Figure) {
    this.figure = figure
  }

  over<E extends Dimension = 'plain'>(other: Has<Quotient<D, E>, Value<E> | number>): Value<Quotient<D, E>> {
    return combined('/', this, other)
  }
  times<E extends Dimension = 'plain'>(other: Has<Product<D, E>, Value<E> | number>): Value<Product<D, E>> {
    return combined('*', this, other)
  }
  plus(other: Operand<D>): Value<D> {
    return combined('+', this, other)
  }
  minus(other: Operand<D>): Value<D> {
    return combined('-', this, other)
  }
  /** The other where this was not measured. */
  or(other: Operand<D>): Value<D> {
    return combined('??', this, other)
  }

  /** The interval of this lies below the other's, whole. */
  below(other: Operand<D>): Condition {
    return { op: 'below', left: this.figure, right: figureOf(other) }
  }
  /** The two intervals have something in common. */
  overlaps(other: Operand<D>): Condition {
    return { op: 'overlaps', left: this.figure, right: figureOf(other) }
  }
  /** The median is. */
  atLeast(bound: Operand<D>): Condition {
    return this.#bounded('at-least', bound, 'value')
  }
  lessThan(bound: Operand<D>): Condition {
    return this.#bounded('less-than', bound, 'value')
  }
  /** The whole interval is. */
  surelyAtLeast(bound: Operand<D>): Condition {
    return this.#bounded('at-least', bound, 'low')
  }
  surelyLessThan(bound: Operand<D>): Condition {
    return this.#bounded('less-than', bound, 'high')
  }

  /** Sets how it is written. */
  as(format: Format): Quoted {
    return { figure: this.figure, as: format }
  }

  #bounded(op: 'at-least' | 'less-than', bound: Operand<D>, edge: 'value' | 'low' | 'high'): Condition {
    return { op, what: this.figure, bound: figureOf(bound), edge }
  }
}

const figureOf = (value: Made | number): Figure =>
  typeof value === 'number' ? exact(value, 'count') : value.figure
const exact = (value: number, unit: Unit): Figure => ({ is: 'number', value, low: value, high: value, unit })
const combined = <D>(is: Operator, a: Made, b: Made | number): Value<D> =>
  new Value({ is, of: [figureOf(a), figureOf(b)] })

export const min = <D>(a: Value<D>, b: Operand<D>): Value<D> => combined('min', a, b)
export const max = <D>(a: Value<D>, b: Operand<D>): Value<D> => combined('max', a, b)

/**
 * A metric of the run, of a variant or of the whole; '$often' is a variant that the experiment
 * names.
 */
export const metric =
  <const Name extends string>(name: Name) =>
  (variant = ''): Value<OfMetric<Name>> =>
    new Value({ is: 'metric', name, variant })
export const param = <const Name extends string>(name: Name): Value<OfFact<Name>> =>
  new Value({ is: 'fact', from: 'param', name })
export const derived = <const Name extends string>(name: Name): Value<OfFact<Name>> =>
  new Value({ is: 'fact', from: 'derived', name })
/**
 * A file under public/recordings/, without its ending, whose figures vite/recorded-figures.ts
 * finds.
 */
export const recording =
  (file: string) =>
  <const Path extends string>(figure: Path, variant = ''): Value<OfPath<Path>> =>
    new Value({ is: 'recorded', file, figure, variant })
/** A word that the experiment has for this run: 'every-step' for 'often'. */
export const word = (name: string): Quoted => ({ word: name })
/** Words that keep their names. */
export const words = (...names: readonly string[]): Figures =>
  Object.fromEntries(names.map((name) => [name, word(name)]))

/** 'every-step' and '$everyStep' as the end of a name: 'EveryStep'. */
const endOfName = (variant: string): string =>
  variant.replace('$', '').replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Metrics of variants, each named by both: `named({ step }, 'never', '$often')` has `stepNever` and
 * `stepOften`.
 */
export const named = (
  metrics: Readonly<Record<string, (variant: string) => Made>>,
  ...variants: readonly string[]
): Figures =>
  Object.fromEntries(
    Object.entries(metrics).flatMap(([name, of]) =>
      variants.map((variant) => [name + endOfName(variant), of(variant)]),
    ),
  )

export const plain = (value: number): Value<'plain'> => new Value(exact(value, 'count'))
export const ms = (value: number): Value<'time'> => new Value(exact(value, 'ms'))
export const us = (value: number): Value<'time'> => new Value(exact(value, 'us'))
export const gbPerS = (value: number): Value<'rate'> => new Value(exact(value, 'GB/s'))
export const bytes = (value: number): Value<'bytes'> => new Value(exact(value, 'bytes'))

/** A name stands for one of these. */
export type Named = Made | Quoted | Condition
export type Figures = Readonly<Record<string, Named>>

export const defineFigures = <const F extends Figures>(figures: F): F => figures

/** These figures were all measured. */
export const measured = (...figures: readonly Made[]): Condition =>
  all(...figures.map(({ figure }): Condition => ({ op: 'measured', what: figure })))
export const paramIs = (name: string, value: string | number): Condition => ({ op: 'param', name, value })
/** The rule that decided the verdict. */
export const reason = (rule: string): Condition => ({ op: 'reason', reason: rule })
export const all = (...of: readonly Condition[]): Condition => ({ op: 'all', of })
export const any = (...of: readonly Condition[]): Condition => ({ op: 'any', of })
export const not = (of: Condition): Condition => ({ op: 'not', of })

/** Conditions of the run itself, which words name too. */
export const ran: Condition = { op: 'ran' }
export const recorded: Condition = { op: 'recorded' }
export const software: Condition = { op: 'software' }
export const timestamps: Condition = { op: 'timestamps' }
export const shown: Condition = { op: 'outcome', is: 'shown' }
export const notShown: Condition = { op: 'outcome', is: 'not-shown' }
export const inconclusive: Condition = { op: 'outcome', is: 'inconclusive' }

/** A cause is shown by the same with and without it, or by parts that add up to the whole. */
export type Evidence =
  | { readonly kind: 'pair'; readonly figures: readonly [withIt: Figure, withoutIt: Figure] }
  | { readonly kind: 'parts'; readonly whole: Figure; readonly parts: readonly Figure[] }
export type AllEvidence = Readonly<Record<string, Evidence>>

/** The same program measured with and without the cause; the two are apart in the recorded run. */
export const pair = (withIt: Made, withoutIt: Made): Evidence => ({
  kind: 'pair',
  figures: [withIt.figure, withoutIt.figure],
})
/** Parts whose sum is within 10 % of the whole. */
export const parts = (whole: Made, of: readonly Made[]): Evidence => ({
  kind: 'parts',
  whole: whole.figure,
  parts: of.map(({ figure }) => figure),
})
/** Defines what `{shown by name}` means at the end of a sentence that claims a cause. */
export const defineEvidence = <const E extends AllEvidence>(evidence: E): E => evidence
