/** What the files of this folder share. */
import type { FuelBinding } from './fuel-store'

export interface BudgetState {
  /** A program runs. */
  isOpen: boolean
}

/** What a dispatch costs, and against which limit it counts. */
export type DispatchCost =
  | {
      readonly kind: 'iterations'
      /** Of one invocation. */
      readonly iterations: number
      /** Of a workgroup. */
      readonly invocations: number
      /** Its loops have counters of a fixed size. */
      readonly isCounted: boolean
      /** Null: its loops have no store. */
      readonly fuel: FuelBinding | null
    }
  | {
      readonly kind: 'givenMs'
      readonly perWorkgroup: number
      /** By their number of workgroups, those whose time is known. Several shapes may run on one pipeline. */
      readonly dispatches: Map<number, number>
    }
  | { readonly kind: 'refused'; readonly sentence: string }
