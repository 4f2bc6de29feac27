/**
 * What a rule is. It sees events of the program as it is followed (flow/events.ts), and says which
 * of them it is about.
 */
import type { Edit } from './edits'
import type { At, EventName, Events } from './flow/events'
import type { Value } from './flow/values'

/** Where a step's time goes if the line matters. */
export const KINDS = ['blocks', 'copies', 'launches', 'loads', 'measures', 'ranks'] as const
export type Kind = (typeof KINDS)[number]

export interface Seen {
  readonly node: { readonly from: number; readonly to: number }
  /**
   * It is a finding if this lies on the GPU, a question where nobody knows, and nothing on the CPU.
   */
  readonly ifOnGpu?: Value
  /** The expression whose place the question is about. */
  readonly asked?: { readonly from: number; readonly to: number }
  /** What must be answered before it is a finding, where that is no tensor's place. */
  readonly asks?: string
  readonly fix?: readonly Edit[]
}

export interface Rule {
  readonly id: string
  readonly kind: Kind
  /** What happens on the line, in a few words. */
  readonly title: string
  /** One sentence. */
  readonly why: string
  /** When it does not matter. */
  readonly unless: string
  /** What to write instead. */
  readonly instead: string
  /**
   * The profile's name of the cause (analysis/replay/causes.ts). Lessons and predictions are found
   * by it.
   */
  readonly cause: string
  readonly sources: readonly string[]
  /** Left out: every step of a training loop, or of inference where the file does not train. */
  readonly heat?: 'evaluate' | 'any'
  readonly on: { readonly [Name in EventName]?: (event: Events[Name], at: At) => Seen | null }
  /** Bodies of a training loop (testing/loop.ts), or whole files that import torch. */
  readonly matches: readonly string[]
  readonly misses: readonly string[]
}
