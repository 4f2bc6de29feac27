/**
 * Moves the view: at once under a hand, in a short glide after a key or a button, after the newest
 * evidence while following a live run. Knows no DOM: time comes in, views go out to the one
 * listener. Views are always within limits.
 */
import { clampView, type Extent, fitView, mixViews, safeExtent, sameView, viewWidthNs } from './scale'
import type { View } from './types'

/**
 * Following a live run: the newest evidence stays in sight, a little left of the right edge. The
 * view widens from START_NS with the run until WIDEST_NS, then slides. It moves towards its target
 * by a fixed share a time constant, so chunks that arrive 20 times a second look like one movement;
 * with reduced motion it jumps, and only when the newest evidence leaves the view.
 */
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
 * when the run outpaces the frames. @internal
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
 * view of room. @internal
 */
export function followJump(view: View, startOfAllNs: number, nowNs: number): View {
  if (nowNs >= view.startNs && nowNs <= view.endNs) return view
  const { startNs, endNs } = followTarget(startOfAllNs, nowNs)
  const half = (endNs - startNs) / 2
  return { startNs: startNs + half, endNs: endNs + half }
}

/** Short enough to wait for, long enough to be followed; eased out. */
const MOTION_MS = 150
/** After a pause (a hidden tab) the next step is one slow frame's, not the pause's. */
const LONGEST_STEP_MS = 50

export class Camera {
  reducedMotion = false
  #extent: Extent = safeExtent(0, 0)
  #view: View = fitView(this.#extent)
  #glide: { readonly from: View; readonly to: View; readonly startedMs: number } | null = null
  #following = false
  #lastMs = 0
  readonly #changed: (view: View, following: boolean) => void

  constructor(changed: (view: View, following: boolean) => void) {
    this.#changed = changed
  }

  get view(): View {
    return this.#view
  }

  get extent(): Extent {
    return this.#extent
  }

  get following(): boolean {
    return this.#following
  }

  /** The view's destination: a key pressed during a glide adds to it. */
  get aim(): View {
    return this.#glide?.to ?? this.#view
  }

  /**
   * A trace that grows moves the limits; a view at rest is held to them, a glide is not cut short.
   */
  setExtent(extent: Extent): void {
    this.#extent = extent
    if (!this.#following && !this.#glide) this.#show(clampView(this.#view, extent))
  }

  follow(following: boolean): void {
    if (following === this.#following) return
    this.#following = following
    this.#glide = null
    this.#changed(this.#view, following)
  }

  /** A new run starts where it should be seen, with no way to it from the old one. */
  reset(view: View, following: boolean): void {
    this.#following = following
    this.#glide = null
    this.#view = following ? view : clampView(view, this.#extent)
    this.#changed(this.#view, following)
  }

  /** Under a hand: at once, and no longer following. */
  jump(view: View): void {
    this.follow(false)
    this.#glide = null
    this.#show(clampView(view, this.#extent))
  }

  /** After a key or a button: in a short motion where motion is wanted, and no longer following. */
  glide(view: View, nowMs: number): void {
    if (this.reducedMotion) {
      this.jump(view)
      return
    }
    this.follow(false)
    this.#glide = { from: this.#view, to: clampView(view, this.#extent), startedMs: nowMs }
  }

  /**
   * Moves on to `nowMs`; `newestNs` is the newest evidence of a live run, null otherwise. True
   * while there is further to go.
   */
  advance(nowMs: number, newestNs: number | null): boolean {
    const elapsedMs = Math.min(LONGEST_STEP_MS, nowMs - this.#lastMs)
    this.#lastMs = nowMs
    if (this.#following && newestNs !== null) {
      if (this.reducedMotion) {
        this.#show(followJump(this.#view, this.#extent.startNs, newestNs))
        return false
      }
      const target = followTarget(this.#extent.startNs, newestNs)
      this.#show(followStep(this.#view, target, elapsedMs, newestNs))
      return !sameView(this.#view, target)
    }
    if (!this.#glide) return false
    const { from, to, startedMs } = this.#glide
    const share = Math.min(1, Math.max(0, (nowMs - startedMs) / MOTION_MS))
    if (share === 1) this.#glide = null
    this.#show(share === 1 ? to : mixViews(from, to, 1 - (1 - share) ** 3))
    return share < 1
  }

  #show(view: View): void {
    if (sameView(view, this.#view)) return
    this.#view = view
    this.#changed(view, this.#following)
  }
}
