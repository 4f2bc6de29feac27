/** What the host computes itself, told by the loops that compute it: nobody hears it but a machine whose time goes by what it is told. */
export interface HostWork {
  /** Floating-point operations of a matmul. */
  readonly flops?: number
  /** Numbers of its result. */
  readonly results?: number
  /** Numbers that a loop takes one by one: adds, gathers, turns over. */
  readonly looped?: number
}

let hears: ((work: HostWork) => void) | null = null

export const hostDid = (work: HostWork): void => hears?.(work)

/** Call what it returns to have whoever heard before. */
export function hearHostWork(listener: typeof hears): () => void {
  const before = hears
  hears = listener
  return () => {
    hears = before
  }
}
