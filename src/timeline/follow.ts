/**
 * Following a live run: the newest evidence stays in sight, a little left of the right edge. The
 * view widens from START_NS with the run until WIDEST_NS, then slides. It moves towards its target
 * by a fixed share a time constant, so chunks that arrive 20 times a second look like one movement;
 * with reduced motion it jumps, and only when the newest evidence leaves the view.
 */
import { viewWidthNs } from './scale'
import type { View } from './types'

const START_NS = 1e9
const WIDEST_NS = 2e9
/** Room at the right, as a share of the view: two chunks and the smoothing's lag at START_NS. */
const LEAD = 0.12
/** Two thirds of the way in this many ms: a chunk and a half at 20 Hz. */
const TIME_CONSTANT_MS = 80

export function followTarget(startOfAllNs: number, nowNs: number): View {
  const ranNs = Math.max(0, nowNs - startOfAllNs)
  const width = Math.min(Math.max(START_NS, ranNs * (1 + LEAD)), WIDEST_NS)
  const end = Math.max(startOfAllNs + width, nowNs + LEAD * width)
  return { startNs: end - width, endNs: end }
}

/**
 * The view `elapsedMs` later on its way to the target; the target itself when it is less than a
 * thousandth of a view away. Smoothness yields to the promise: what is newest is in sight, also
 * when the run outpaces the frames.
 */
export function followStep(view: View, target: View, elapsedMs: number, nowNs: number): View {
  const share = 1 - Math.exp(-Math.max(0, elapsedMs) / TIME_CONSTANT_MS)
  const startNs = view.startNs + (target.startNs - view.startNs) * share
  const endNs = view.endNs + (target.endNs - view.endNs) * share
  const nearNs = viewWidthNs(target) / 1000
  if (Math.abs(target.startNs - startNs) < nearNs && Math.abs(target.endNs - endNs) < nearNs) return target
  const behindNs = Math.max(0, nowNs + viewWidthNs(target) * 0.01 - endNs)
  return { startNs: startNs + behindNs, endNs: endNs + behindNs }
}

/**
 * Without motion: stay until the newest evidence leaves the view, then show it again with half a
 * view of room.
 */
export function followJump(view: View, startOfAllNs: number, nowNs: number): View {
  if (nowNs >= view.startNs && nowNs <= view.endNs) return view
  const { startNs, endNs } = followTarget(startOfAllNs, nowNs)
  const half = (endNs - startNs) / 2
  return { startNs: startNs + half, endNs: endNs + half }
}
