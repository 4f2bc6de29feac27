/**
 * Finds the reader's functions under which a finding's time was spent, and the thread's activity
 * there, most time first.
 */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS } from '../trace/schema'
import type { SourceLine } from './findings'
import { SpanNames } from './replay/span-names'
import { pythonFrame, tensorMethod, type HostStacks, type PythonFrame } from './host-stacks'

const WINDOW = SPAN_KINDS.indexOf('window')

interface Place {
  readonly frame: PythonFrame
  us: number
  readonly methods: Map<string, number>
}

export class SourceTally {
  readonly #placed: PlacedTrace
  readonly #names: SpanNames
  readonly #stacks: HostStacks
  readonly #places = new Map<string, Place>()
  readonly #activities = new Map<string, number>()
  #us = 0

  constructor(placed: PlacedTrace, stacks: HostStacks) {
    this.#placed = placed
    this.#names = new SpanNames(placed.trace)
    this.#stacks = stacks
  }

  /** `us` belong to what this span of the host lies in. */
  add(span: number, us: number): void {
    this.#us += us
    this.#note(this.#stacks.around(span), us)
  }

  /** `us` belong, in equal parts, to what the thread was in at these moments. */
  addMoments(lane: number, timesNs: readonly number[], us: number): void {
    this.#us += us
    const part = us / timesNs.length
    for (const timeNs of timesNs) {
      const around = this.#stacks.at(lane, timeNs)
      this.#note(around, part)
      const [innermost = -1] = around.filter((span) => this.#placed.trace.spans.kind[span] !== WINDOW)
      const activity = innermost < 0 ? '' : this.#names.of(innermost)
      this.#activities.set(activity, (this.#activities.get(activity) ?? 0) + part)
    }
  }

  #note(around: readonly number[], us: number): void {
    const frame = this.#stacks.frameAmong(around)
    if (!frame) return
    const key = `${frame.file}(${String(frame.line)}): ${frame.name}`
    let place = this.#places.get(key)
    if (!place) this.#places.set(key, (place = { frame, us: 0, methods: new Map() }))
    place.us += us
    for (const span of around) {
      const name = this.#names.of(span)
      const method = tensorMethod(name)
      if (method !== null) {
        place.methods.set(method, (place.methods.get(method) ?? 0) + us)
        break
      }
      if (pythonFrame(name)) break
    }
  }

  /** Null where the file has no Python stacks. */
  line(): SourceLine | null {
    const [place] = [...this.#places.values()].sort((a, b) => b.us - a.us)
    if (!place) return null
    const [method] = [...place.methods].sort((a, b) => b[1] - a[1])
    return { ...place.frame, method: method?.[0] ?? null, share: this.#us > 0 ? place.us / this.#us : 0 }
  }

  /**
   * Names what the thread was in at most of the moments; '' if nothing is recorded of them, null if
   * none was asked for.
   */
  activity(): string | null {
    const [found] = [...this.#activities].sort((a, b) => b[1] - a[1])
    return found ? found[0] : null
  }
}
