/** Finds what each span of a host thread lies in, by names, in one pass from the outside in. */
import type { PlacedTrace } from '../../trace/place'
import { SPAN_ROLES } from '../../trace/schema'
import type { NameKind } from './causes'
import type { NestedLane } from './host-stretches'
import type { SpanNames } from './span-names'

const LAUNCH = SPAN_ROLES.indexOf('launch')

/** By position of the lane, the span itself included: a position, or -1 for none. */
export class Surroundings {
  /** The innermost load of a batch, or allocation. */
  readonly supply: Int32Array
  /** The innermost operator, of any kind. */
  readonly operator: Int32Array
  /** The outermost one. */
  readonly outermost: Int32Array
  /** The innermost operator that brings a value to the host. */
  readonly read: Int32Array
  /** The innermost function of the program. */
  readonly python: Int32Array
  /** The innermost function of the framework, with no operator or function of the program in it. */
  readonly framework: Int32Array
  /** Sums of IN_WAIT, IN_CALL, IN_HEAVY and IN_OPTIMIZER. */
  readonly flags: Uint8Array
  /** 1: the span launches work, or contains one that does. */
  readonly launches: Uint8Array

  constructor(placed: PlacedTrace, names: SpanNames, lane: NestedLane) {
    const { span, parent } = lane
    const positions = () => new Int32Array(span.length)
    this.supply = positions()
    this.operator = positions()
    this.outermost = positions()
    this.read = positions()
    this.python = positions()
    this.framework = positions()
    this.flags = new Uint8Array(span.length)
    this.launches = launchesWithin(placed, lane)
    for (let at = 0; at < span.length; at += 1) {
      this.#inherit(at, parent[at] ?? -1)
      this.#add(at, names.roleOf(span[at] ?? -1))
    }
  }

  #inherit(at: number, up: number): void {
    const { supply, operator, outermost, read, python, framework } = this
    for (const column of [supply, operator, outermost, read, python, framework]) column[at] = column[up] ?? -1
    this.flags[at] = this.flags[up] ?? 0
  }

  #add(at: number, kind: NameKind): void {
    switch (kind) {
      case 'loader':
      case 'allocation':
        this.supply[at] = at
        return
      case 'wait':
        this.#flag(at, IN_WAIT)
        return
      case 'call':
        this.#flag(at, IN_CALL)
        return
      case 'read-operator':
      case 'operator':
      case 'front-end':
        if (kind === 'read-operator') this.read[at] = at
        if (kind !== 'front-end') this.#flag(at, IN_HEAVY)
        this.operator[at] = at
        this.framework[at] = -1
        if ((this.outermost[at] ?? -1) < 0) this.outermost[at] = at
        return
      case 'python':
        this.python[at] = at
        this.framework[at] = -1
        return
      case 'framework':
        this.framework[at] = at
        return
      case 'optimizer':
        this.#flag(at, IN_OPTIMIZER)
        return
      case 'range':
    }
  }

  #flag(at: number, flag: number): void {
    this.flags[at] = (this.flags[at] ?? 0) | flag
  }
}

/** In a call that waits for the device. */
export const IN_WAIT = 1
/** In another call of the driver. */
export const IN_CALL = 2
/** In an operator that does more than read or change metadata. */
export const IN_HEAVY = 4
/** In a step of the optimizer. */
export const IN_OPTIMIZER = 8

/** By position of a lane: 1 where the span, or one that it contains, launches work. */
function launchesWithin({ trace }: PlacedTrace, { span, parent }: NestedLane): Uint8Array {
  const { role } = trace.spans
  const has = new Uint8Array(span.length)
  for (let at = 0; at < span.length; at += 1) {
    if (role[span[at] ?? -1] !== LAUNCH) continue
    for (let up = at; up >= 0 && has[up] === 0; up = parent[up] ?? -1) has[up] = 1
  }
  return has
}
