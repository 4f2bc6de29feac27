/**
 * Limits on a file or link from outside, for every format, in one place. Readers ask before they
 * make room: `spend` for counts that a file claims, `check` for single sizes. A size beyond a limit
 * is refused as 'too large', with the limit and the size found; never as damaged. One budget may be
 * spent over several files: those of one run's ranks, which are shown together.
 */
import { grouped } from '../base/figures'

/** Limits of single things: each is held against its limit alone. */
const OF_EACH = {
  /**
   * A header is one JSON text, and as objects some ten times as large. Of 10^6 spans with as many
   * names it is 50 MB.
   */
  headerBytes: { most: 2 ** 26, what: 'bytes of header' },
  /**
   * The timeline draws 400 at a time; a process of 64 ranks has some 4,500. The column of lanes
   * holds 16 bits.
   */
  lanes: { most: 10_000, what: 'lanes' },
  counters: { most: 1000, what: 'counters' },
  clocks: { most: 1000, what: 'clocks' },
  /** Longest name that an import makes: a process's and a thread's, 2,000 characters each. */
  nameCharacters: { most: 10_000, what: 'characters in one name' },
  /** Any other text of a header: a verdict is 500. */
  textCharacters: { most: 2 ** 20, what: 'characters in one text' },
  /** Either way from zero: beyond 104 days a double has no whole nanoseconds. */
  timeNs: { most: 2 ** 53, what: 'ns from zero' },
} as const

/** Limits of a file's contents: summed up over the files that are opened together. */
const OF_ALL = {
  /**
   * Inflated. 10^7 events of torch.profiler are 2 GB and more. Opening takes twice as much memory
   * in a page, so that one may ask for less (site/import-worker/opened-file.ts).
   */
  bytes: { most: 2e9, what: 'bytes, inflated' },
  files: { most: 512, what: 'files' },
  /** Events of Trace Event JSON, drawn or not: at 130 bytes each as many as its bytes hold. */
  events: { most: 2 ** 24, what: 'events' },
  /** Rows of all tables: spans, instants, arrows, samples, collectives, clock brackets. */
  rows: { most: 2 ** 24, what: 'rows' },
  /** Different texts. */
  names: { most: 2 ** 21, what: 'names' },
} as const

/** Limits of a budget. */
export const LIMITS = { ...OF_EACH, ...OF_ALL } as const
export type Limit = keyof typeof LIMITS
export type SummedLimit = keyof typeof OF_ALL

/**
 * An event may take as little as 10 bytes, and 250 once it is read: so that an opened file takes at
 * most six times its bytes, beyond the first 2^18 events (which take 65 MB) there must be 64 bytes
 * of file to each. The shortest complete event of any profiler has 90.
 */
const FREE_EVENTS = 2 ** 18
const LEAST_EVENT_BYTES = 64
export const mostEvents = (bytes: number): number =>
  Math.min(OF_ALL.events.most, Math.max(FREE_EVENTS, Math.floor(bytes / LEAST_EVENT_BYTES)))

const formatCount = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) <= 2 ** 53 ? grouped(value) : value.toPrecision(3)

/**
 * Thrown where a limit is passed, and caught by who opens: openTraceFile, decodeRun, openRunLink.
 */
export class OverBudget extends Error {
  readonly limit: Limit

  /**
   * `found`: null where nobody counted further. `most`: where less than the limit is left, or it
   * depends on the file, as `what` says.
   */
  constructor(
    limit: Limit,
    found: number | null,
    most: number = LIMITS[limit].most,
    what: string = LIMITS[limit].what,
  ) {
    const how = found === null ? `more than ${formatCount(most)}` : formatCount(found)
    super(`${how} ${what}, where at most ${formatCount(most)} are read`)
    this.name = 'OverBudget'
    this.limit = limit
  }
}

/** One sentence for a person. @param what 'The file', 'The link' */
export const tooLarge = (what: string, { message }: OverBudget): string => `${what} is too large: ${message}.`

/** @throws OverBudget */
export function check(limit: keyof typeof OF_EACH, found: number): void {
  if (found > OF_EACH[limit].most) throw new OverBudget(limit, found)
}

export const isOnAxis = (timeNs: number): boolean => Math.abs(timeNs) <= OF_EACH.timeNs.most

/** For times that are known to be numbers. @throws OverBudget */
export function checkTime(timeNs: number): void {
  if (!isOnAxis(timeNs)) throw new OverBudget('timeNs', timeNs)
}

export class Budget {
  readonly #spent: Record<SummedLimit, number> = { bytes: 0, files: 0, events: 0, rows: 0, names: 0 }
  readonly bytes: number

  /** @param bytes how many may be read, where that is fewer than the limit */
  constructor(bytes: number = OF_ALL.bytes.most) {
    this.bytes = bytes
  }

  /** @throws OverBudget where the sum passes the limit: nothing is spent then */
  spend(limit: SummedLimit, count: number): void {
    const sum = this.#spent[limit] + count
    const most = this.#mostOf(limit)
    if (!(sum <= most)) throw new OverBudget(limit, sum, most)
    this.#spent[limit] = sum
  }

  left(limit: SummedLimit): number {
    return this.#mostOf(limit) - this.#spent[limit]
  }

  #mostOf(limit: SummedLimit): number {
    return limit === 'bytes' ? this.bytes : OF_ALL[limit].most
  }

  /**
   * Gives back what a file that is dropped has spent: `const undo = budget.mark()` before, `undo()`
   * after.
   */
  mark(): () => void {
    const before = { ...this.#spent }
    return () => Object.assign(this.#spent, before)
  }
}
