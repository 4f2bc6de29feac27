/** Conditions that figures.ts defines beside its figures (define-figures.ts): what was measured, what was asked for, and several together. */
import type { Condition } from './condition'
import type { Made } from './define-figures'

export const measured = (...figures: readonly Made[]): Condition =>
  all(...figures.map(({ figure }): Condition => ({ op: 'measured', what: figure })))
export const paramIs = (name: string, value: string | number): Condition => ({ op: 'param', name, value })
/** The rule that decided the verdict. */
export const reason = (rule: string): Condition => ({ op: 'reason', reason: rule })
export const all = (...of: readonly Condition[]): Condition => ({ op: 'all', of })
export const any = (...of: readonly Condition[]): Condition => ({ op: 'any', of })
export const not = (of: Condition): Condition => ({ op: 'not', of })

/** Conditions of the run itself, which words name too. */
export const ran: Condition = { op: 'ran' }
export const recorded: Condition = { op: 'recorded' }
export const software: Condition = { op: 'software' }
export const timestamps: Condition = { op: 'timestamps' }
export const shown: Condition = { op: 'outcome', is: 'shown' }
export const notShown: Condition = { op: 'outcome', is: 'not-shown' }
export const inconclusive: Condition = { op: 'outcome', is: 'inconclusive' }
