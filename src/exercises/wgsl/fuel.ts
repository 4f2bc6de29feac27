/**
 * Fuel for loops of WGSL: the same source with a counter in each loop, so that every invocation
 * ends. A loop that ran out of it leaves a mark in a buffer of the lab's.
 *
 *     var fuel0 = 1000u; for (var i = 0u; i < n; i += 1u) {
 *       if (fuel0 == 0u) { atomicStore(&fuelMarks[0], 1u); break; } fuel0 -= 1u; …
 *
 * A loop's counter is declared before the outermost loop that it stands in, and is never refilled
 * in it: all iterations of one loop together are at most `fuel` while its function runs.
 * Each loop has one of its own, because WGSL's uniformity analysis would take a counter that a loop
 * of uneven length decreases to differ between invocations, and refuse a barrier in any other loop
 * that reads it. That is also why it is no `var<private>`. A counter of its own is as uniform as
 * the loop around it: what compiled still does.
 */
import { fail, succeed, type Result, assert } from '../../base/fault'
import type { Problem } from '../syntax'
import { scan, type Scanned, type ScannedFunction } from './scan'
import { lineStarts, problemAt } from './tokens'

/**
 * The most fuel with which an invocation executes at most so many iterations; 1 where even that is
 * too much.
 */
export function mostFuel(cost: Cost, iterations: number): number {
  let low = 1
  let high = MOST_FUEL
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (iterationsOf(cost, middle) <= iterations) low = middle
    else high = middle - 1
  }
  return low
}

interface EntryPoint {
  readonly name: string
  /**
   * Invocations of a workgroup; null where more than literals decides.
   */
  readonly workgroupSize: number | null
  /**
   * The most that one invocation executes, in iterations of about 32 tokens, by the fuel of each
   * loop.
   */
  readonly cost: Cost
}

interface Kernels {
  readonly scanned: Scanned
  /** Lines of the loops, from 1, in the order of their marks. */
  readonly loopLines: readonly number[]
  /** Entry points of @compute. */
  readonly entryPoints: readonly EntryPoint[]
}

export interface Fueled extends Pick<Kernels, 'loopLines' | 'entryPoints'> {
  /** Has the lines of the source, and where there are loops the marks behind them. */
  readonly code: string
}

/** Bind group of the marks, a word for each loop, at binding 0. */
export const MARKS_GROUP = 1

/** A WGSL u32. */
const MOST_FUEL = 2 ** 32 - 1
/**
 * Longest function with its calls written out, in iterations of 32 tokens. Compilers put functions
 * instead of their calls: ten that call the next ten times would be 10^10 of them. On a software
 * adapter this much takes about 7 s to compile; the lab's longest kernel has 661.
 */
const LONGEST = 700

interface Insertion {
  /** In the source, UTF-16 code units. */
  readonly at: number
  readonly text: string
}

/**
 * @returns problems where the source does not fit WGSL's grammar so far as it is read here: such a
 * source must not run.
 */
export function kernelsIn(source: string): Result<Kernels, readonly Problem[]> {
  const scanned = scan(source)
  if (!scanned.ok) return scanned
  const { functions } = scanned.value
  const costs = costsOf(functions)
  const refuse = (message: string) => fail([problemAt(source, 0, 0, message)])
  const entryPoints: EntryPoint[] = []
  for (const [name, { workgroupSize }] of functions) {
    const cost = costs.get(name)
    if (!cost) return refuse(`The function ${name} calls itself, or is called by one that it calls.`)
    // Each function, called or not: all are compiled.
    if (lengthOf(cost) > LONGEST)
      return refuse(
        `With its calls written out, the function ${name} has more than ${String(LONGEST * TOKENS_OF_ITERATION)} words and signs.`,
      )
    if (workgroupSize !== undefined) entryPoints.push({ name, workgroupSize, cost })
  }
  const loops = [...functions.values()].flatMap((each) => each.loops)
  return succeed({
    scanned: scanned.value,
    loopLines: loops.map(({ at }) => lineAt(source, at)),
    entryPoints,
  })
}

/**
 * @param fuel iterations for each loop, a whole number from 1 to MOST_FUEL; or a function that
 * chooses it, given the most that an invocation of the costliest entry point executes.
 */
export function addFuel(
  source: string,
  fuel: number | ((cost: Cost) => number),
): Result<Fueled, readonly Problem[]> {
  const read = kernelsIn(source)
  if (!read.ok) return read
  const { scanned, loopLines, entryPoints } = read.value
  const each = typeof fuel === 'number' ? fuel : fuel(costliest(entryPoints))
  assert(Number.isInteger(each) && each >= 1 && each <= MOST_FUEL, `fuel of ${String(each)}`)
  const prefix = prefixFor(scanned)
  const marks = `\n@group(${String(MARKS_GROUP)}) @binding(0) var<storage, read_write> ${prefix}Marks: array<atomic<u32>, ${String(loopLines.length)}>;\n`
  return succeed({
    code: inserted(source, insertionsOf(scanned, prefix, each)) + (loopLines.length > 0 ? marks : ''),
    loopLines,
    entryPoints,
  })
}

const lineAt = (source: string, at: number): number =>
  lineStarts(source).findLastIndex((start) => start <= at) + 1

/** At least as much as each. */
function costliest(entries: readonly { readonly cost: Cost }[]): Cost {
  const powers = Math.max(1, ...entries.map(({ cost }) => cost.length))
  return Array.from({ length: powers }, (_, power) =>
    Math.max(power === 0 ? 1 : 0, ...entries.map(({ cost }) => cost[power] ?? 0)),
  )
}

/** Names of the source begin with something else. */
function prefixFor({ names }: Scanned): string {
  let prefix = 'fuel'
  while ([...names].some((name) => name.startsWith(prefix))) prefix += 'x'
  return prefix
}

function insertionsOf({ functions }: Scanned, prefix: string, fuel: number): readonly Insertion[] {
  const found: Insertion[] = []
  let count = 0
  for (const { loops, returnType } of functions.values())
    for (const { nestStart, bodyStart, end, hasNoExit, isInContinuing } of loops) {
      const counter = `${prefix}${String(count)}`
      const mark = `atomicStore(&${prefix}Marks[${String(count)}], 1u);`
      count += 1
      found.push(
        { at: nestStart, text: `var ${counter} = ${String(fuel)}u; ` },
        { at: bodyStart, text: ` if (${counter} == 0u) { ${mark} break; } ${counter} -= 1u;` },
      )
      // Only `return` leaves such a loop, and nothing need follow it. Now that it has a `break`,
      // something must.
      if (hasNoExit && !isInContinuing && returnType !== null)
        found.push({ at: end, text: ` return ${returnType}();` })
    }
  return found.sort((a, b) => a.at - b.at) // stable: declarations in one place keep their order
}

function inserted(source: string, insertions: readonly Insertion[]): string {
  let code = ''
  let from = 0
  for (const { at, text } of insertions) {
    code += source.slice(from, at) + text
    from = at
  }
  return code + source.slice(from)
}

/**
 * The most that one invocation can execute, in iterations, as a polynomial of the fuel of each
 * loop: coefficients by power, from 0 on. An iteration of up to TOKENS_OF_ITERATION tokens counts
 * once, a longer one in proportion; so does text outside loops.
 */
export type Cost = readonly number[]

/** `for (var i = 0u; i < n; i += 1u) { sum += a[i]; }` has 28. */
const TOKENS_OF_ITERATION = 32

const weight = (tokens: number): number => Math.max(1, Math.ceil(tokens / TOKENS_OF_ITERATION))

/** @internal */
export function iterationsOf(cost: Cost, perInvocation: number): number {
  return cost.reduceRight((sum, coefficient) => sum * perInvocation + coefficient, 0)
}

/** Written out with every call in its place, that is what a compiler may have to translate. */
const lengthOf = (cost: Cost): number => iterationsOf(cost, 1)

/** For each function; null for one that reaches itself, which WGSL does not allow. */
function costsOf(functions: ReadonlyMap<string, ScannedFunction>): ReadonlyMap<string, Cost | null> {
  const costs = new Map<string, Cost | null>()
  const costOf = (name: string): Cost | null => {
    const known = costs.get(name)
    if (known !== undefined) return known
    costs.set(name, null) // until it is known: a call back to it finds this
    const scanned = functions.get(name)
    if (!scanned) return null
    let total: Cost | null = [weight(scanned.tokens)]
    // Fuel is not refilled while the function runs: all iterations of one loop together are at most
    // its fuel.
    for (const { tokens } of scanned.loops) total = added(total, [0, weight(tokens)])
    for (const { callee, loop } of scanned.calls) {
      const cost = costOf(callee)
      total = cost && total ? added(total, loop ? [0, ...cost] : cost) : null
    }
    costs.set(name, total)
    return total
  }
  for (const name of functions.keys()) costOf(name)
  return costs
}

const added = (a: Cost, b: Cost): Cost =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, power) => (a[power] ?? 0) + (b[power] ?? 0))
