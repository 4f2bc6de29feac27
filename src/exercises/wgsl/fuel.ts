/**
 * Fuel for loops of WGSL: the same source with a counter in each loop, so that every invocation
 * ends.
 *
 *     var fuel0 = 1000u; for (var i = 0u; i < n; i += 1u) { if (fuel0 == 0u) { break; } fuel0 -= 1u; …
 *
 * A loop's counter is declared before the outermost loop that it stands in, and is never refilled
 * in it: all iterations of one loop together are at most `perInvocation` while its function runs.
 * Each loop has one of its own, because WGSL's uniformity analysis would take a counter that a loop
 * of uneven length decreases to differ between invocations, and refuse a barrier in any other loop
 * that reads it. That is also why it is no `var<private>`. A counter of its own is as uniform as
 * the loop around it: what compiled still does.
 *
 * With a store (store.ts) fuel is shared where that compiles, and a loop that ran out of it is
 * known afterwards.
 */
import { fail, succeed, type Result, assert } from '../../base/fault'
import type { Problem } from '../syntax'
import { scan, type Scanned, type ScannedFunction, type ScannedLoop } from './scan'
import { markText, needsUniformity, storeText, takeText, type Store } from './store'
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

interface FueledEntryPoint {
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
  /** The same for the fuel that was given; beyond it only what the store has. */
  readonly worstIterations: number
  readonly hasLoops: boolean
}

export interface Fueled {
  /** Has the lines of the source. */
  readonly code: string
  /** Iterations that each loop has while its function runs; 0: they share what is in the store. */
  readonly perInvocation: number
  /** Lines of the loops, from 1, in the order of their marks. */
  readonly loopLines: readonly number[]
  /** The first bind group behind those of the source; null where that is not known. */
  readonly nextGroup: number | null
  /** Entry points of @compute. */
  readonly entryPoints: readonly FueledEntryPoint[]
}

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
 * @param perInvocation iterations for each loop, a whole number from 1 to MOST_FUEL; or a function
 * that chooses it, given the most that an invocation of the costliest entry point executes.
 * @param store null: none
 * @returns problems where the source does not fit WGSL's grammar so far as it is read here: such a
 * source must not run.
 */
export function addFuel(
  source: string,
  perInvocation: number | ((cost: Cost) => number),
  store: Store | null = null,
): Result<Fueled, readonly Problem[]> {
  const scanned = scan(source)
  if (!scanned.ok) return scanned
  const costs = costsOf(scanned.value.functions)
  const refuse = (message: string) => fail([problemAt(source, 0, 0, message)])
  const entries: { readonly entry: ScannedFunction; readonly cost: Cost }[] = []
  for (const [name, entry] of scanned.value.functions) {
    const cost = costs.get(name)
    if (!cost) return refuse(`The function ${name} calls itself, or is called by one that it calls.`)
    // Each function, called or not: all are compiled.
    if (lengthOf(cost) > LONGEST)
      return refuse(
        `With its calls written out, the function ${name} has more than ${String(LONGEST * TOKENS_OF_ITERATION)} words and signs.`,
      )
    if (entry.workgroupSize !== undefined) entries.push({ entry, cost })
  }
  const isShared = store !== null && !needsUniformity(scanned.value.names)
  const fuel = typeof perInvocation === 'number' ? perInvocation : perInvocation(costliest(entries))
  assert(Number.isInteger(fuel) && fuel >= 1 && fuel <= MOST_FUEL, `fuel of ${String(fuel)}`)
  const prefix = prefixFor(scanned.value)
  const loops = [...scanned.value.functions.values()].flatMap((each) => each.loops)
  const insertions = isShared
    ? sharedInsertions(scanned.value, prefix, store, costs)
    : countedInsertions(scanned.value, prefix, fuel, store)
  const declared = store && loops.length > 0 ? storeText(prefix, store, isShared) : ''
  const { groups } = scanned.value
  return succeed({
    code: inserted(source, insertions) + declared,
    perInvocation: isShared ? 0 : fuel,
    loopLines: loops.map(({ at }) => lineAt(source, at)),
    nextGroup: groups.includes(null) ? null : Math.max(-1, ...groups.map(Number)) + 1,
    entryPoints: entries.map(({ entry, cost }) => ({
      name: entry.name,
      workgroupSize: entry.workgroupSize ?? null,
      cost,
      worstIterations: isShared ? (cost[0] ?? 0) + store.free : iterationsOf(cost, fuel),
      hasLoops: cost.length > 1,
    })),
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

/** A counter for each loop, of a fixed size. */
function countedInsertions(
  { functions }: Scanned,
  prefix: string,
  fuel: number,
  store: Store | null,
): readonly Insertion[] {
  let loops = 0
  return insertionsOf(functions, ({ nestStart, bodyStart }) => {
    const counter = `${prefix}${String(loops)}`
    const mark = store ? `${markText(prefix, store.firstMark + loops)} ` : ''
    loops += 1
    return [
      { at: nestStart, text: `var ${counter} = ${String(fuel)}u; ` },
      { at: bodyStart, text: ` if (${counter} == 0u) { ${mark}break; } ${counter} -= 1u;` },
    ]
  })
}

/**
 * An iteration takes as much as its text and the functions called in it are long, without their
 * loops.
 */
function sharedInsertions(
  { functions }: Scanned,
  prefix: string,
  store: Store,
  costs: ReadonlyMap<string, Cost | null>,
): readonly Insertion[] {
  let mark = store.firstMark
  return insertionsOf(functions, (loop, { calls }) => {
    let amount = weight(loop.tokens)
    for (const call of calls) if (call.loop === loop) amount += costs.get(call.callee)?.[0] ?? 0
    const text = takeText(prefix, mark, amount)
    mark += 1
    return [{ at: loop.bodyStart, text }]
  })
}

function insertionsOf(
  functions: Scanned['functions'],
  take: (loop: ScannedLoop, within: ScannedFunction) => readonly Insertion[],
): readonly Insertion[] {
  const found: Insertion[] = []
  for (const scanned of functions.values())
    for (const loop of scanned.loops) {
      found.push(...take(loop, scanned))
      const { end, hasNoExit, isInContinuing } = loop
      // Only `return` leaves such a loop, and nothing need follow it. Now that it has a `break`,
      // something must.
      if (hasNoExit && !isInContinuing && scanned.returnType !== null)
        found.push({ at: end, text: ` return ${scanned.returnType}();` })
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
