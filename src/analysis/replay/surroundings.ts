/**
 * What each span of a host thread lies in, by names: calls, operators, and the reader's own
 * functions.
 */
import type { PlacedTrace } from '../../trace/place'
import { SPAN_ROLES } from '../../trace/schema'
import { GARBAGE_COLLECTOR, type NameKind } from './causes'
import type { NestedLane } from './host-stretches'
import type { SpanNames } from './span-names'
import { isLibrary, pythonFrame } from '../host-stacks'

const LAUNCH = SPAN_ROLES.indexOf('launch')

/**
 * Found in one pass from the outside in. By position of the lane, the span itself included: a
 * position, or -1 for none.
 */
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

/** Ids of chains begin at 0, and -1 is none. */
const NOT_ASKED = -2

/** The reader's own functions around each part of a thread. */
export class CodeChains {
  /** 'train.py(12): step', innermost first. */
  readonly chains: (readonly string[])[] = []
  readonly #names: SpanNames
  readonly #isOwn: (span: number) => boolean
  /** By the chain around a function, then by the function's name. */
  readonly #ids = new Map<number, Map<number, number>>()
  readonly #known = new Map<NestedLane, Int32Array>()

  constructor(names: SpanNames) {
    this.#names = names
    this.#isOwn = names.asked((name) => {
      const frame = pythonFrame(name)
      return frame ? !isLibrary(frame.file) : name === GARBAGE_COLLECTOR
    })
  }

  /** Index into `chains` of the functions around a position; -1 where none is recorded. */
  of(lane: NestedLane, at: number): number {
    if (at < 0) return -1
    let known = this.#known.get(lane)
    if (!known) this.#known.set(lane, (known = new Int32Array(lane.span.length).fill(NOT_ASKED)))
    return this.#chainAt(lane, known, at)
  }

  #chainAt(lane: NestedLane, known: Int32Array, at: number): number {
    if (at < 0) return -1
    const found = known[at] ?? NOT_ASKED
    if (found !== NOT_ASKED) return found
    const above = this.#chainAt(lane, known, lane.parent[at] ?? -1)
    const span = lane.span[at] ?? -1
    const isOwn = this.#names.roleOf(span) === 'python' && this.#isOwn(span)
    return (known[at] = isOwn ? this.#chainOf(span, above) : above)
  }

  #chainOf(span: number, above: number): number {
    let within = this.#ids.get(above)
    if (!within) this.#ids.set(above, (within = new Map<number, number>()))
    const name = this.#names.idOf(span)
    let id = within.get(name)
    if (id === undefined) {
      id = this.chains.push([this.#names.of(span), ...(this.chains[above] ?? [])]) - 1
      within.set(name, id)
    }
    return id
  }
}
