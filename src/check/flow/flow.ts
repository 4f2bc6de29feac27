/** The state of following a program, and what its parts may ask of each other. */
import type { Call, Def, Expr, For, Stmt, While } from '../syntax'
import type { At, CallEvent, EventName, Events } from './events'
import type { Heat, HeatMap } from './heat'
import { hintOf, tensor, UNKNOWN, type FunctionValue, type Scope, type Value, type Where } from './values'

export type Listen = <Name extends EventName>(name: Name, event: Events[Name], at: At) => void

/** Something that the host does in a loop: it takes a batch, or gives the GPU work. */
export interface Act {
  readonly loop: For | While
  readonly what: 'batch' | 'launch'
  readonly from: number
}

/**
 * After so many expressions, calls are no longer followed: a file of many functions calling each
 * other would take minutes.
 */
const MOST_EVALUATIONS = 400_000
const DEEPEST_CALL = 8

export class Flow {
  scope: Scope
  readonly heatMap: HeatMap
  readonly text: string
  statement: Stmt | null = null
  loops: { readonly node: For | While; readonly heat: Heat; readonly accumulates: boolean }[] = []
  via: { readonly def: Def; readonly call: Call }[] = []
  heat: Heat = 'setup'
  /** Off while the first of two passes over a loop finds what its variables hold. */
  isReporting = true
  hasGradients = true
  isOfSomeRanks = false
  /** In the branch of a micro-batch loop where the optimizer steps. */
  isOfStep = false
  launches = 0
  waits = 0
  isPending = false
  /**
   * Iterations of all loops: two readings of the clock with the same number are in one iteration.
   */
  iterations = 0
  defaultWhere: Where = 'cpu'
  readonly followed = new Set<Def>()
  readonly active: (Def | Expr)[] = []
  /** Value that the current function has returned so far. */
  returned: Value | null = null
  readonly acts: Act[] = []
  evaluations = 0
  /** Goes through a function of the file with these arguments. */
  follow: (called: FunctionValue, event: CallEvent) => Value = () => UNKNOWN
  /** An object of a class of the file. */
  make: (cls: Extract<Value, { kind: 'class' }>, event: CallEvent) => Value = () => UNKNOWN
  readonly #listen: Listen

  constructor(text: string, heatMap: HeatMap, listen: Listen) {
    this.text = text
    this.heatMap = heatMap
    this.#listen = listen
    this.scope = { values: new Map(), parent: null }
  }

  canFollow = (body: FunctionValue['body']): boolean =>
    this.evaluations < MOST_EVALUATIONS && this.active.length < DEEPEST_CALL && !this.active.includes(body)

  emit<Name extends EventName>(name: Name, event: Events[Name]): void {
    if (this.isReporting && this.statement) this.#listen(name, event, this.#at(this.statement))
  }

  #at = (statement: Stmt): At => ({
    heat: this.heat,
    text: this.text,
    statement,
    loops: this.loops.map(({ node }) => node),
    via: [...this.via],
    hasGradients: this.hasGradients,
    isOfSomeRanks: this.isOfSomeRanks,
    waits: this.waits,
    accumulates: !this.isOfStep && (this.loops.at(-1)?.accumulates ?? false),
    textOf: ({ from, to }) => this.text.slice(from, to),
    valueOf: (name) => this.lookUp(name) ?? UNKNOWN,
  })

  lookUp(name: string): Value | null {
    for (let scope: Scope | null = this.scope; scope; scope = scope.parent) {
      const value = scope.values.get(name)
      if (value) return value
    }
    return null
  }

  /** Guesses the value of a name that nothing here sets, by what people call things. */
  hint = (name: string): Value => hintOf(name, this.heatMap)

  set(name: string, value: Value): void {
    const isUnsure = value.kind === 'unknown' || (value.kind === 'tensor' && value.where === 'unknown')
    const isLoss = isUnsure && this.heatMap.losses.has(name)
    const isOpen = value.kind === 'unknown' || isOfOtherFile(value)
    const hinted = isOpen ? this.hint(name) : value
    this.scope.values.set(
      name,
      isLoss ? tensor(this.heatMap.hasGpu ? 'gpu' : 'cpu') : hinted.kind === 'unknown' ? value : hinted,
    )
  }

  /** The GPU has more to do. */
  launched(): void {
    this.launches += 1
    this.isPending = true
    const loop = this.loops.at(-1)?.node
    if (loop) this.act(loop, 'launch')
  }

  act(loop: For | While, what: Act['what']): void {
    if (!this.isReporting) return
    this.acts.push({ loop, what, from: placeInLoop(loop, this.via, this.statement?.from ?? loop.from) })
  }

  waited(): void {
    this.waits += 1
    this.isPending = false
  }
}

/** An object of which only its class's name is known. */
const isOfOtherFile = (value: Value): boolean =>
  value.kind === 'thing' &&
  value.role === 'other' &&
  !value.cls &&
  !value.inner &&
  !OF_LIBRARY.test(value.path)

const OF_LIBRARY = /^(torch|torch\w+|tqdm|logging|accelerate|transformers)\./

/** Place of the call in the loop, for events inside a function that the loop calls. */
export const placeInLoop = (
  { from, to }: For | While,
  via: readonly { readonly call: Call }[],
  at: number,
): number => {
  const isIn = (place: number) => place > from && place < to
  return isIn(at) ? at : (via.findLast(({ call }) => isIn(call.from))?.call.from ?? at)
}
