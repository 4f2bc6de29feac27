/** What the files of this folder share. */
import type { Realm } from '../../recorder/realm'

/** `globalThis` is one; tests make others. */
export interface BudgetRealm extends Realm {
  readonly GPUShaderModule: { readonly prototype: GPUShaderModule }
}

/** What each workgroup of a dispatch costs, and against which limit it counts. */
export type DispatchCost =
  | { readonly kind: 'iterations' | 'givenMs'; readonly perWorkgroup: number }
  | { readonly kind: 'refused'; readonly sentence: string }
