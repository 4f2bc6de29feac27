/** What each workgroup of a dispatch costs, and against which limit it counts. */
export type DispatchCost =
  | { readonly kind: 'iterations' | 'givenMs'; readonly perWorkgroup: number }
  | { readonly kind: 'refused'; readonly sentence: string }
