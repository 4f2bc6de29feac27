/**
 * Quotations: a figure of a file under public/recordings/ becomes a part of the words while the
 * site is built, so that words cannot drift from what was recorded. Beside figures of the reader's
 * own run it stays a number with its interval and unit. Pure.
 */
import { holds, type Condition } from './condition'
import { NO_FACTS, type Facts } from './facts'
import { evaluate, type Figure, type Quantity, type Quotation } from './figure'

/** Throws where the file, or the figure in it, is not there. */
export type Recorded = (file: string, figure: string, variant: string) => Quantity

/** The origin of a file. */
export interface RecordedOrigin {
  readonly device: string
  /** An ISO date. */
  readonly date: string
}

/** All that words take from files. Each throws where the file does not have it. */
export interface Recordings {
  readonly figure: Recorded
  readonly origin: (file: string) => RecordedOrigin
  /** Facts of a run of the lab. */
  readonly facts: (file: string) => Facts
}

/** All that a figure is made of. */
const leavesOf = (figure: Figure): readonly Exclude<Figure, { readonly of: unknown }>[] =>
  'of' in figure ? figure.of.flatMap(leavesOf) : [figure]

export const asksForRun = (figure: Figure): boolean =>
  leavesOf(figure).some(({ is }) => is === 'metric' || is === 'fact')

export const quotationsIn = (figure: Figure): readonly Quotation[] =>
  leavesOf(figure).filter((leaf) => leaf.is === 'recorded')

/** The figure with its quotations as numbers. */
export function bindFigure(figure: Figure, recorded: Recorded): Figure {
  if ('of' in figure) {
    const [a, b] = figure.of
    return { ...figure, of: [bindFigure(a, recorded), bindFigure(b, recorded)] }
  }
  if (figure.is !== 'recorded') return figure
  const { value, low, high, unit } = recorded(figure.file, figure.figure, figure.variant)
  return { is: 'number', value, low, high, unit }
}

/**
 * A figure of quotations and numbers alone. @throws where it asks for a run's figures, or has no
 * value
 */
export function quoteOf(figure: Figure, recorded: Recorded): Quantity {
  const quantity = asksForRun(figure) ? null : evaluate(bindFigure(figure, recorded), NO_FACTS, {})
  if (!quantity) throw new Error('It is no figure of recordings.')
  return quantity
}

/**
 * The figures that a condition compares, each written anew. Quotations keep their intervals, so
 * that a recording is compared as a run is.
 */
function withFigures(condition: Condition, write: (figure: Figure) => Figure): Condition {
  switch (condition.op) {
    case 'all':
    case 'any':
      return { ...condition, of: condition.of.map((each) => withFigures(each, write)) }
    case 'not':
      return { ...condition, of: withFigures(condition.of, write) }
    case 'measured':
      return { ...condition, what: write(condition.what) }
    case 'at-least':
    case 'less-than':
      return { ...condition, what: write(condition.what), bound: write(condition.bound) }
    case 'below':
    case 'overlaps':
      return { ...condition, left: write(condition.left), right: write(condition.right) }
    default:
      return condition
  }
}

export const bindCondition = (condition: Condition, recorded: Recorded): Condition =>
  withFigures(condition, (figure) => bindFigure(figure, recorded))

/** Those that a condition is made of: 'below', 'ran'. */
const partsOf = (condition: Condition): readonly Exclude<Condition, { readonly of: unknown }>[] =>
  'of' in condition ? [condition.of].flat().flatMap(partsOf) : [condition]

export function figuresIn(condition: Condition): readonly Figure[] {
  const found: Figure[] = []
  withFigures(condition, (figure) => {
    found.push(figure)
    return figure
  })
  return found
}

const OF_FIGURES: ReadonlySet<Condition['op']> = new Set([
  'always',
  'measured',
  'at-least',
  'less-than',
  'below',
  'overlaps',
])

/** Reads a condition on recordings alone. @throws where it asks for something of a run */
export function holdsOfRecordings(condition: Condition, recorded: Recorded): boolean {
  const ofRun = partsOf(condition).find(({ op }) => !OF_FIGURES.has(op))
  if (ofRun) throw new Error(`'${ofRun.op}' is said of a run, and here is none.`)
  if (figuresIn(condition).some(asksForRun))
    throw new Error('It asks for a figure of a run, and here is none.')
  return holds(bindCondition(condition, recorded), NO_FACTS, {})
}
