/** Edits (play.ts) that take causes away, each in the least and the most that the change can be. */
import { CAUSES, type Cause } from './causes'
import type { Edit } from './play'
import type { Program } from './program'

/** A cause, or one function of the reader's: 'host-code:train.py(12): augment', or its bare name. */
export interface Removed {
  readonly cause: Cause
  /** Null: all of the cause. */
  readonly code: string | null
  /** True: of 'unknown' only what comes once, of 'read-back' no large copies; else all that the removal takes. */
  readonly isStrict?: boolean
}

export function parseRemoved(text: string): Removed | null {
  const at = text.indexOf(':')
  const cause = CAUSES.find((known) => known === (at < 0 ? text : text.slice(0, at)))
  if (!cause || (at >= 0 && cause !== 'host-code')) return null
  return { cause, code: at < 0 ? null : text.slice(at + 1) }
}

/** Host time of cudaGraphLaunch, and the device's pause between two kernels of a graph: 6 to 12 and 0.6 to 1.3 µs on an H200. */
const GRAPH = { launchNs: 10_000, pauseNs: 1_000 }

/** Bytes a ns of a pinned copy over PCIe, measured at most: 55 (gen 5), 26 (gen 4), 12 (gen 3). */
const PINNED_RATES: readonly (readonly [RegExp, number])[] = [
  [/H100|H200|GH200|B[123]00|RTX 50|MI300/i, 55],
  [/A100|A10|A30|A40|L4|L40|RTX [34]0|RTX A|MI2/i, 25],
  [/V100|T4|P100|GTX|RTX 20|TITAN/i, 12],
]
/** Of devices that are not in the table. */
const PINNED_RATE = { least: 12, most: 55 }

/** By its whole text, 'train.py(12): step', or by its name. */
export const isFunction = (text: string, name: string): boolean => text === name || text.endsWith(`: ${name}`)

export type Reading = 'least' | 'most'

/** @param device the name of the device, as the file has it */
export function without(program: Program, removed: readonly Removed[], reading: Reading, device = ''): Edit {
  const { stretches, work, chains, streams } = program
  const causes = new Set(removed.map(({ cause }) => cause))
  const named = removed.flatMap(({ cause, code }) => (cause === 'host-code' && code !== null ? [code] : []))
  const takesAllUnrecorded = removed.some(({ cause, isStrict }) => cause === 'unknown' && isStrict !== true)
  const wholeCode = removed.some(({ cause, code }) => cause === 'host-code' && code === null)
  const isNamed = chains.map((chain) => chain.some((text) => named.some((name) => isFunction(text, name))))
  // Large copies to the host have two changes: pinned memory, and no copy. Findings count each once.
  const takesCopies = removed.some(({ cause, isStrict }) => cause === 'read-back' && isStrict !== true)
  const isRemovedRead = (isRead: boolean, cause: Cause | null): boolean =>
    isRead &&
    causes.has('read-back') &&
    (cause === 'pageable-copies' ? takesCopies : cause === 'read-back' || reading === 'most')
  const gone = stretches.map(({ cause, code, isUnrecorded, isRead }) => {
    // What no record names may be the reader's code or anything else: both removals take it.
    if (isUnrecorded && takesAllUnrecorded) return true
    if (isNamed[code] === true || isRemovedRead(isRead, cause)) return true
    if (cause === null || !causes.has(cause) || cause === 'pageable-copies') return false
    return cause !== 'host-code' || wholeCode
  })
  const known = PINNED_RATES.find(([names]) => names.test(device))?.[1]
  const rate = known ?? PINNED_RATE[reading]
  const isPinned = (at: number): boolean =>
    causes.has('pageable-copies') && work[at]?.cause === 'pageable-copies'
  const isBlocking = (at: number): boolean =>
    causes.has('pageable-copies') && stretches[at]?.cause === 'pageable-copies'
  const isMoved = (at: number): boolean => {
    const cause = work[at]?.cause
    return (cause === 'copies-in-line' || cause === 'collectives') && causes.has(cause)
  }
  const pieces = causes.has('dispatch') ? graphPieces(program, gone) : new Set<number>()
  return {
    hostNs: (at) => {
      if (pieces.has(at)) return Math.min(GRAPH.launchNs, stretches[at]?.lengthNs ?? 0)
      if (gone[at]) return 0
      const { lengthNs = 0, launches = [] } = stretches[at] ?? {}
      return launches.some(isPinned) ? Math.min(lengthNs, PINNED_CALL_NS) : lengthNs
    },
    waits: (at) => !gone[at] && !stretches[at]?.launches.some(isPinned) && !isBlocking(at),
    workNs: (at) => {
      const { lengthNs = 0, waitNs = 0, bytes = 0 } = work[at] ?? {}
      return isPinned(at) && bytes > 0 ? Math.min(lengthNs, bytes / rate) : lengthNs - waitNs
    },
    latencyNs: (at) => {
      const { latencyNs = 0 } = work[at] ?? {}
      return isPinned(at) ? Math.min(latencyNs, PINNED_CALL_NS) : latencyNs
    },
    pauseNs: (at) => {
      const { pauseNs = 0, callbackNs = 0 } = work[at] ?? {}
      const own = pauseNs - callbackNs
      return (
        (causes.has('dispatch') ? Math.min(own, GRAPH.pauseNs) : own) +
        (causes.has('host-callback') ? 0 : callbackNs)
      )
    },
    stream: (at) => {
      const own = work[at]
      return isMoved(at) ? streams + (own?.cause === 'collectives' ? 1 : 0) : (own?.stream ?? 0)
    },
    isAwaited: (at) => !isMoved(at),
    isGone: (at) => {
      const own = work[at]
      return own !== undefined && isRemovedRead(own.isRead, own.cause)
    },
    ranksWait: !causes.has('late-rank'),
    arrivals: causes.has('data-loading') ? 0 : 1,
  }
}
/** Of cudaMemcpyAsync from pinned memory, and until the copy begins: 5 to 15 µs in our recordings. */
const PINNED_CALL_NS = 10_000

/** Where a graph is launched: the first of the operators after each wait of the host, and in each step. */
function graphPieces({ stretches, stepEndsNs }: Program, gone: readonly boolean[]): ReadonlySet<number> {
  const pieces = new Set<number>()
  let [isOpen, step] = [false, 0]
  for (const [at, { startNs, cause, awaits }] of stretches.entries()) {
    while (step < stepEndsNs.length && (stepEndsNs[step] ?? Infinity) <= startNs) {
      step += 1
      isOpen = false
    }
    if (awaits.length > 0 && !gone[at]) isOpen = false
    if (isOpen || cause !== 'dispatch' || !gone[at]) continue
    pieces.add(at)
    isOpen = true
  }
  return pieces
}
