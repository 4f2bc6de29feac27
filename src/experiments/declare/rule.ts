/** One ordered list of rules decides a verdict, and holds its sentence and the paragraphs that explain it. */
import type { VerdictOutcome } from '../../trace/report'
import type { Condition } from './condition'
import type { Text } from './template'

export interface Rule {
  /** Machine-readable, unique in its experiment: 'stall-dominates'. It is saved in reports, so it stays. */
  readonly reason: string
  readonly outcome: Exclude<VerdictOutcome, 'invalid'>
  readonly when: Condition
  /** The verdict: one or two sentences with figures; why not on this machine, or what to change. */
  readonly text: Text
  /** The explanation, a paragraph each; figures are quoted with their bounds. */
  readonly explain: readonly Text[]
}
