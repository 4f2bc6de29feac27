/**
 * Budget of a learner's program: patches over one realm's WebGPU that count what the program asks for, and throw before it is more than
 * its limits. Work that a device has begun cannot be ended: an endless kernel on a software adapter blocks the browser's GPU process
 * for minutes, whatever becomes of the program's worker. So it must not begin.
 *
 * Counted when a command is encoded. Commands that are never submitted count too, and none is submitted twice: WebGPU's command buffers
 * are submitted once.
 */
import { install } from '../../recorder/patches'
import { Records } from '../../recorder/intrinsics'
import { noSpending, SENTENCES, type Limits, type Spending } from './limits'
import { Modules } from './modules'
import { budgetTable } from './table'
import type { Realm } from '../../recorder/realm'
import type { DispatchCost } from './types'

export interface BudgetOptions {
  /** Default: this realm. */
  readonly realm?: Realm | undefined
  readonly limits: Limits
}

/** A pipeline of the lab that a program is given. */
interface GivenPipeline {
  /** Estimated, or measured for the work that it is given for, ms. */
  readonly msPerWorkgroup: number
}

export interface Budget {
  /**
   * Patches the realm. After the recorder's session has started, so that refused calls are not recorded, and before the learner's code;
   * built-in objects must be frozen before that too, since the WGSL scanner uses them as they are.
   *
   * @returns a function that puts back what was there. Before the recorder's session stops.
   */
  readonly install: () => () => void
  readonly spent: Readonly<Spending>
  /** The first refusal, as a sentence for learners; null: none. It stays when the program catches the error. */
  readonly violation: string | null
  /** What a pipeline costs that the program is given. Others that were made before the budget are the lab's own, and cost nothing. */
  readonly given: (pipeline: GPUComputePipeline, facts: GivenPipeline) => void
}

export function createBudget({ realm = globalThis, limits }: BudgetOptions): Budget {
  const spent = noSpending()
  let violation: string | null = null
  const refuse = (sentence: string): never => {
    violation ??= sentence
    throw new Error(sentence)
  }
  const spend = (kind: keyof Spending, amount: number): void => {
    const wanted = spent[kind] + amount
    // Also where it is not a number.
    if (!(wanted <= limits[kind])) refuse(SENTENCES[kind](wanted, limits[kind]))
    spent[kind] = wanted
  }
  const costs = new Records<GPUComputePipeline, DispatchCost>()
  const modules = new Modules(realm, limits, (sentence) => (violation ??= sentence))
  return {
    install: () => install(budgetTable({ realm, limits, spent, spend, refuse, costs, modules })),
    spent,
    get violation() {
      return violation
    },
    given: (pipeline, { msPerWorkgroup }) => {
      costs.set(pipeline, { kind: 'givenMs', perWorkgroup: msPerWorkgroup })
    },
  }
}
