/** Edits (play.ts) that take causes away, each in the least and the most that the change can be. */
import { CAUSES, type Cause } from './causes'
import { tf32Ratio } from '../tables/peaks'
import { IndexedSet, union } from '../intervals'
import { columnOf, type Edit } from './play'
import { mostUploadNs } from './tie-page'
import type { Program, Stretch } from './program'
import { COSTLY } from './read-page'

/**
 * A cause, or one function of the reader's: 'host-code:train.py(12): augment', or its bare name. Of
 * slow kernels it may be those of float32 (FLOAT32): they become TF32, which rounds their inputs.
 */
export interface Removed {
  readonly cause: Cause
  /** Null: all of the cause; of slow kernels, those whose sizes are known. */
  readonly code: string | null
  /**
   * True: of 'unknown' only what comes once, of 'read-back' no large copies; else all that the
   * removal takes.
   */
  readonly isStrict?: boolean
}

export const FLOAT32: Removed = { cause: 'slow-kernels', code: 'float32' }
export const isFloat32 = ({ cause, code }: Removed): boolean =>
  cause === FLOAT32.cause && code === FLOAT32.code

export function parseRemoved(text: string): Removed | null {
  const at = text.indexOf(':')
  const cause = CAUSES.find((known) => known === (at < 0 ? text : text.slice(0, at)))
  if (!cause) return null
  const removed = { cause, code: at < 0 ? null : text.slice(at + 1) }
  return at < 0 || cause === 'host-code' || isFloat32(removed) ? removed : null
}

/**
 * Host time of cudaGraphLaunch, and the device's pause between two kernels of a graph: 6 to 12 and
 * 0.6 to 1.3 µs on an H200. Steps of 40 to 730 kernels that became graphs took as long as with
 * pauses of 0.2 to 0.5 µs (physics-loss, diffusion-sampler, elementwise-chain).
 */
const GRAPH = { launchNs: 10_000, pauseNs: { least: 1_000, most: 600 } }

/** Bytes a ns of a pinned copy over PCIe, measured at most: 55 (gen 5), 26 (gen 4), 12 (gen 3). */
const PINNED_RATES: readonly (readonly [RegExp, number])[] = [
  [/H100|H200|GH200|B[123]00|RTX 50|MI300/i, 55],
  [/A100|A10|A30|A40|L4|L40|RTX [34]0|RTX A|MI2/i, 25],
  [/V100|T4|P100|GTX|RTX 20|TITAN/i, 12],
]
/** Devices that are not in the table have this range. */
const PINNED_RATE = { least: 12, most: 55 }

/**
 * A GPU process that is not busy with uploads tells a page that its work has ended: it polls each
 * ms.
 */
const NOTICE_NS = 1e6

/** By its whole text, 'train.py(12): step', or by its name. */
export const isFunction = (text: string, name: string): boolean => text === name || text.endsWith(`: ${name}`)

export type Reading = 'least' | 'most'

/** @param device the name of the device, as the file has it */
export function without(program: Program, removed: readonly Removed[], reading: Reading, device = ''): Edit {
  const { stretches, work, chains } = program
  const causes = new Set(removed.map(({ cause }) => cause))
  const named = removed.flatMap(({ cause, code }) => (cause === 'host-code' && code !== null ? [code] : []))
  const takesAllUnrecorded = removed.some(({ cause, isStrict }) => cause === 'unknown' && isStrict !== true)
  const wholeCode = removed.some(({ cause, code }) => cause === 'host-code' && code === null)
  const isNamed = chains.map((chain) => chain.some((text) => named.some((name) => isFunction(text, name))))
  // Large copies to the host have two changes: pinned memory, and no copy. Findings count each
  // once.
  const takesCopies = removed.some(({ cause, isStrict }) => cause === 'read-back' && isStrict !== true)
  const isRemovedRead = (isRead: boolean, cause: Cause | null): boolean =>
    isRead &&
    causes.has('read-back') &&
    (cause === 'pageable-copies' ? takesCopies : cause === 'read-back' || reading === 'most')
  const isGone = ({ cause, code, isUnrecorded, isRead }: Stretch): boolean => {
    // A time that no record names may be the reader's code or anything else: both removals take it.
    if (isUnrecorded && takesAllUnrecorded) return true
    if (isNamed[code] === true || isRemovedRead(isRead, cause)) return true
    if (cause === null || !causes.has(cause) || cause === 'pageable-copies') return false
    return cause !== 'host-code' || wholeCode
  }
  const isUpload = ({ code }: Program['work'][number]) => isNamed[code] === true || (wholeCode && code >= 0)
  const gone = flags(stretches, isGone)
  const beside = reading === 'most' ? heldByOthers(program, gone) : null
  const host = {
    hostNs: columnOf(stretches, ({ lengthNs }, at) =>
      gone[at] === 1 ? 0 : Math.max(0, lengthNs - (beside?.[at] ?? 0)),
    ),
    waits: flags(stretches, (_, at) => gone[at] === 0),
  }
  if (causes.has('dispatch'))
    for (const at of graphPieces(program, gone))
      host.hostNs[at] = Math.min(GRAPH.launchNs, stretches[at]?.lengthNs ?? 0)
  const rate = PINNED_RATES.find(([names]) => names.test(device))?.[1] ?? PINNED_RATE[reading]
  const kernels = causes.has('slow-kernels') ? quickened(program, removed, reading, device) : null
  return {
    ...host,
    ...(kernels ? { workNs: kernels } : {}),
    ...(causes.has('pageable-copies') ? pinned(program, gone, rate, host, kernels) : {}),
    pauseNs: pauses(program, causes, reading),
    ...moved(program, causes),
    ...(causes.has('read-back') || work.some(isUpload)
      ? { isGone: flags(work, (each) => isRemovedRead(each.isRead, each.cause) || isUpload(each)) }
      : {}),
    ...(work.some(isUpload) || causes.has('dispatch')
      ? { noticeNs: noticesWithout(program, isUpload, gone) }
      : {}),
    ranksWait: !causes.has('late-rank'),
    arrivals: causes.has('data-loading') ? 0 : 1,
  }
}

const IN_PYTHON: ReadonlySet<Cause | null> = new Set<Cause>(['dispatch', 'host-code', 'unknown'])

/**
 * One thread runs Python at a time: the time in which another thread ran what is gone. Null: there
 * is one thread.
 */
function heldByOthers({ stretches, threads }: Program, gone: Uint8Array): Float64Array | null {
  if (threads < 2) return null
  const sets = Array.from({ length: threads }, (_, thread) =>
    IndexedSet.of(
      union(
        stretches.flatMap(({ thread: own, cause, startNs, endNs }, at) =>
          own !== thread && gone[at] === 1 && IN_PYTHON.has(cause) ? [{ start: startNs, end: endNs }] : [],
        ),
      ),
    ),
  )
  return columnOf(stretches, ({ thread, cause, startNs, endNs }) =>
    IN_PYTHON.has(cause) ? (sets[thread]?.totalWithin(startNs, endNs) ?? 0) : 0,
  )
}

/**
 * The GPU process tells the page of an end earlier, by the time that it would have spent on the
 * uploads and submissions since the last wait. @param gone flags of stretches
 */
function noticesWithout(
  { stretches, work, chains }: Program,
  isUpload: (work: Program['work'][number]) => boolean,
  gone: Uint8Array,
): Float64Array {
  let savedNs = 0
  return columnOf(stretches, ({ cause, launches, awaits, noticeNs }, at) => {
    if (gone[at] === 1 && cause === 'dispatch' && launches.length > 0) savedNs += mostUploadNs(1, false)
    for (const index of launches) {
      const launched = work[index]
      if (launched && isUpload(launched))
        savedNs += mostUploadNs(launched.bytes, chains[launched.code]?.[0] === COSTLY.compile)
    }
    if (awaits.length === 0) return noticeNs
    const earlierNs = Math.max(Math.min(noticeNs, NOTICE_NS), noticeNs - savedNs)
    savedNs = 0
    return earlierNs
  })
}

function flags<Row>(rows: readonly Row[], isSuch: (row: Row, at: number) => boolean): Uint8Array {
  const values = new Uint8Array(rows.length)
  for (const [at, row] of rows.entries()) if (isSuch(row, at)) values[at] = 1
  return values
}

/** Host time of a copy from pinned memory, and until it begins: 5 to 15 µs on an H200. */
const PINNED_CALL_NS = 10_000

/** Copies at the rate of pinned memory, for which no call waits; writes the calls into `host`. */
function pinned(
  { stretches, work }: Program,
  gone: Uint8Array,
  rate: number,
  { hostNs, waits }: { readonly hostNs: Float64Array; readonly waits: Uint8Array },
  kernels: Float64Array | null,
): Pick<Edit, 'workNs' | 'latencyNs'> {
  const isPageable = (index: number) => work[index]?.cause === 'pageable-copies'
  for (const [at, { cause, launches, lengthNs }] of stretches.entries()) {
    if (cause === 'pageable-copies') waits[at] = 0
    if (launches.length === 0 || !launches.some(isPageable)) continue
    waits[at] = 0
    if (gone[at] === 0) hostNs[at] = Math.min(lengthNs, PINNED_CALL_NS)
  }
  return {
    workNs: columnOf(work, ({ lengthNs, waitNs, bytes }, at) =>
      bytes > 0 && isPageable(at) ? Math.min(lengthNs, bytes / rate) : (kernels?.[at] ?? lengthNs - waitNs),
    ),
    latencyNs: columnOf(work, ({ latencyNs }, at) =>
      isPageable(at) ? Math.min(latencyNs, PINNED_CALL_NS) : latencyNs,
    ),
  }
}

/**
 * Share of its bound that a kernel reaches: large products and copies reach 0.75 to 0.9 on an H200,
 * others less.
 */
const REACHED = { least: 0.6, most: 1 }

/**
 * A product of float32 as TF32: some µs, and its time times the ratio of the peaks, by a factor. On
 * an H200 (PyTorch 2.11) the largest take 0.88 of that ratio. The three products of a linear layer,
 * 500 to 4,100 µs long, took 8 µs each and 1.06 to 1.43 of it together: gradients of weights take
 * longest.
 */
const AS_TF32 = { least: { startNs: 8_000, factor: 1.43 }, most: { startNs: 3_000, factor: 0.88 } }

/** Slow kernels as long as the device's peak asks for, at best, and products of float32 as TF32. */
function quickened(
  { work }: Program,
  removed: readonly Removed[],
  reading: Reading,
  device: string,
): Float64Array {
  const takesSlow = removed.some((each) => each.cause === 'slow-kernels' && !isFloat32(each))
  const tf32 = removed.some(isFloat32) ? tf32Ratio(device) : null
  const { startNs, factor } = AS_TF32[reading]
  return columnOf(work, ({ cause, lengthNs, waitNs, leastNs, isFloat32: isProduct }) => {
    let ns = lengthNs - waitNs
    if (takesSlow && cause === 'slow-kernels') ns = Math.min(ns, leastNs / REACHED[reading])
    if (tf32 !== null && isProduct) ns = Math.min(ns, startNs + factor * tf32 * lengthNs)
    return ns
  })
}

/** Pauses within a graph, and without callbacks. */
function pauses({ work }: Program, causes: ReadonlySet<Cause>, reading: Reading): Float64Array {
  const isGraph = causes.has('dispatch')
  const callbacks = causes.has('host-callback') ? 0 : 1
  return columnOf(work, ({ pauseNs, callbackNs }) => {
    const ownNs = pauseNs - callbackNs
    return (isGraph ? Math.min(ownNs, GRAPH.pauseNs[reading]) : ownNs) + callbacks * callbackNs
  })
}

/** Copies and collectives on streams of their own, which other work does not wait for. */
function moved({ work, streams }: Program, causes: ReadonlySet<Cause>): Pick<Edit, 'stream' | 'isAwaited'> {
  const stream = new Int32Array(work.length)
  const isAwaited = new Uint8Array(work.length)
  for (const [at, own] of work.entries()) {
    const { cause } = own
    const isMoved = (cause === 'copies-in-line' || cause === 'collectives') && causes.has(cause)
    stream[at] = isMoved ? streams + (cause === 'collectives' ? 1 : 0) : own.stream
    isAwaited[at] = isMoved ? 0 : 1
  }
  return { stream, isAwaited }
}

/**
 * The places where a graph is launched: the first of the operators after each wait of the host, and
 * in each step.
 */
function graphPieces({ stretches, stepEndsNs }: Program, gone: Uint8Array): ReadonlySet<number> {
  const pieces = new Set<number>()
  let [isOpen, step] = [false, 0]
  for (const [at, { startNs, cause, awaits }] of stretches.entries()) {
    while (step < stepEndsNs.length && (stepEndsNs[step] ?? Infinity) <= startNs) {
      step += 1
      isOpen = false
    }
    if (awaits.length > 0 && gone[at] === 0) isOpen = false
    if (isOpen || cause !== 'dispatch' || gone[at] === 0) continue
    pieces.add(at)
    isOpen = true
  }
  return pieces
}
