/** Types that the files of this folder share. */
import type { FuelBinding } from './fuel-store'

export interface BudgetState {
  /** A program runs. */
  isOpen: boolean
}

/** Cost of a dispatch, and the limit against which it counts. */
export type DispatchCost =
  | {
      readonly kind: 'iterations'
      /** Iterations of one invocation. */
      readonly iterations: number
      /** Invocations of a workgroup. */
      readonly invocations: number
      /** Its loops have counters of a fixed size. */
      readonly isCounted: boolean
      /** Null: its loops have no store. */
      readonly fuel: FuelBinding | null
    }
  | {
      readonly kind: 'givenMs'
      readonly perWorkgroup: number
      /**
       * By their number of workgroups, those whose time is known. Several shapes may run on one
       * pipeline.
       */
      readonly dispatches: Map<number, number>
    }
  | { readonly kind: 'refused'; readonly sentence: string }
