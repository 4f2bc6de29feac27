/**
 * A profile's causes beside the code that they come from. A profile names functions, not lines: a
 * function has its measured cost, and a line only where it is the one of its function that fits.
 */
import type { Finding } from './check'
import { parsePython } from './parse'
import { functionsIn } from './syntax'

export interface MeasuredCause {
  readonly cause: string
  readonly title: string
  /** The part of a step that its removal saves. */
  readonly share: number
  /** The step now over the step without it; null where nothing is predicted. */
  readonly gain: number | null
  /**
   * The function, and the tensor's method that was called in it; null where the profile has no
   * Python stacks.
   */
  readonly line: { readonly name: string; readonly method: string | null } | null
}

export type Measured = ReturnType<typeof measuredIn>

const MODULE = '<module>'

/** Functions are those of the code that the profile blames, in the profile's order. */
export function measuredIn(text: string, findings: readonly Finding[], causes: readonly MeasuredCause[]) {
  const defs = [...functionsIn(parsePython(text).body)].map(({ def }) => def)
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length
  const places = defs.map(({ name, from, to }) => ({ name, first: lineOf(from), last: lineOf(to) }))
  // The innermost is the last that begins before the line.
  const functionOf = (line: number): string =>
    places.findLast(({ first, last }) => first <= line && line <= last)?.name ?? MODULE
  const functions = causes.flatMap((cause) => {
    const name = cause.line?.name
    const place = name === undefined ? undefined : places.find((each) => each.name === name)
    return place ? [{ name: place.name, line: place.first, cause }] : []
  })
  const measured = new Map<Finding, MeasuredCause>()
  for (const cause of causes) {
    if (!cause.line) continue
    const { name, method } = cause.line
    const fitting = findings.filter(
      (finding) =>
        finding.cause === cause.cause &&
        functionOf(finding.line) === name &&
        (method === null || finding.title.includes(`.${method}(`)),
    )
    const [only] = fitting
    if (only && fitting.length === 1) measured.set(only, cause)
  }
  return { functions, findings: measured }
}
