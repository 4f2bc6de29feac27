/**
 * Events that rules see while the code is followed: each is one thing that Python does, with what
 * is known of its values.
 */
import type { Call, Def, Expr, For, Index, Stmt, While } from '../syntax'
import type { Heat } from './heat'
import type { Tensor, Value } from './values'

export interface CallEvent {
  readonly node: Call
  /**
   * Full path as far as imports tell: 'torch.cuda.synchronize'; for a builtin its name. Null for a
   * method.
   */
  readonly path: string | null
  /** Null of a function. */
  readonly method: string | null
  readonly receiver: Value
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/** A tensor comes to lie on the GPU. */
interface MoveEvent {
  readonly node: Call
  readonly value: Tensor
  /** Null: unknown. */
  readonly isNonBlocking: boolean | null
  /** `.to()` or `.cuda()` of an expression. */
  readonly of: Expr
}

export interface Events {
  call: CallEvent
  move: MoveEvent
  /** Python asks whether a value is true. */
  truth: { readonly node: Expr; readonly value: Value }
  /** A value becomes text. */
  text: {
    readonly node: Expr
    readonly value: Value
    readonly how: 'print' | 'format' | 'log'
  }
  index: {
    readonly node: Index
    readonly object: Value
    readonly items: readonly Value[]
    readonly isStore: boolean
  }
  loop: {
    readonly node: For
    readonly value: Value
    readonly heat: Heat
    /** It runs again every epoch. */
    readonly isRepeated: boolean
  }
  minus: { readonly node: Expr; readonly left: Value; readonly right: Value }
}

export type EventName = keyof Events

/** Place of an event in the program. */
export interface At {
  readonly heat: Heat
  readonly text: string
  readonly statement: Stmt
  /** Innermost last, through the functions that are called. */
  readonly loops: readonly (For | While)[]
  /** The functions that lead here from the loop, outermost first. */
  readonly via: readonly { readonly def: Def; readonly call: Call }[]
  readonly hasGradients: boolean
  /** Some ranks do not come here. */
  readonly isOfSomeRanks: boolean
  /** How often the host has waited for the GPU until here. */
  readonly waits: number
  /** The loop takes a step of the optimizer every so many iterations only. */
  readonly accumulates: boolean
  readonly textOf: (node: { readonly from: number; readonly to: number }) => string
  readonly valueOf: (name: string) => Value
}
