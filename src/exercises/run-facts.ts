/**
 * The facts of a mend's runs, with their types: what its `prepare.ts` writes, and its `checks.ts`
 * reads.
 */
import type { Facts, ProgramRun } from './types'

export interface RunFacts {
  readonly facts: Facts
  readonly found: ProgramRun['found']
}

export type RunOf<T extends RunFacts> = Omit<ProgramRun, keyof RunFacts> & Readonly<T>
