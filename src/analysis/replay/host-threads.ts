/** Finds the threads of the host that a program has, each as parts without a hole. */
import type { NestedLane, Part } from './host-stretches'
import { partsOf } from './host-stretches'
import type { SpanNames } from './span-names'

/** A thread that works beside the main one for more of its time than this stays a thread. */
const BESIDE = 0.02

/**
 * The main thread first. Threads that work only while it waits for them, as autograd's does, are
 * merged into it; the others follow.
 */
export function threadsOf(
  names: SpanNames,
  main: NestedLane,
  lanes: Iterable<NestedLane>,
  fromNs: number,
  toNs: number,
): readonly (readonly Part[])[] {
  const isActive = ({ at, lane }: Part): boolean => {
    if (at < 0) return false
    const kind = names.roleOf(lane.span[at] ?? -1)
    return kind !== 'range' && kind !== 'python' && kind !== 'framework'
  }
  let merged: readonly Part[] = partsOf(main, fromNs, toNs)
  let working: readonly Part[] | null = null
  const beside: Part[][] = []
  for (const lane of lanes) {
    if (lane === main) continue
    const parts = partsOf(lane, fromNs, toNs)
    const active = parts.filter(isActive)
    if (active.length === 0) continue
    const activeNs = active.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
    working ??= merged.filter(isActive)
    if (overlapNs(active, working) > BESIDE * activeNs) beside.push(parts)
    else {
      merged = overlaid(merged, active)
      working = null
    }
  }
  return [merged, ...beside]
}

function overlapNs(a: readonly Part[], b: readonly Part[]): number {
  let [sum, j] = [0, 0]
  for (const part of a) {
    while (j < b.length && (b[j]?.endNs ?? 0) <= part.startNs) j += 1
    for (let k = j; k < b.length && (b[k]?.startNs ?? Infinity) < part.endNs; k += 1)
      sum += Math.min(part.endNs, b[k]?.endNs ?? 0) - Math.max(part.startNs, b[k]?.startNs ?? 0)
  }
  return sum
}

/**
 * `over` where it is, `under` elsewhere; both in order. Parts of `over` without length are kept.
 */
export function overlaid(under: readonly Part[], over: readonly Part[]): readonly Part[] {
  const out: Part[] = []
  let j = 0
  for (const part of under) {
    let clock = part.startNs
    for (; j < over.length; j += 1) {
      const { startNs = 0, endNs = 0 } = over[j] ?? {}
      if (endNs > clock || startNs === clock) break
    }
    for (let k = j; k < over.length; k += 1) {
      const each = over[k]
      if (!each || each.startNs >= part.endNs) break
      if (each.startNs > clock) out.push({ ...part, startNs: clock, endNs: each.startNs })
      const startNs = Math.max(each.startNs, clock)
      const endNs = Math.min(each.endNs, part.endNs)
      if (endNs >= startNs) out.push({ ...each, startNs, endNs })
      clock = Math.max(clock, endNs)
    }
    if (clock === part.startNs) out.push(part)
    else if (clock < part.endNs) out.push({ ...part, startNs: clock })
  }
  return out
}
