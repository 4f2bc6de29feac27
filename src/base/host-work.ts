/** What the host computes itself, as the loops that compute it declare: a real machine ignores it, the model's clock moves on by it. */
export interface HostWork {
  /** Floating-point operations of a matmul. */
  readonly flops?: number
  /** Numbers of its result. */
  readonly results?: number
  /** Numbers that a loop takes one by one: adds, gathers, turns over. */
  readonly looped?: number
}

let listener: ((work: HostWork) => void) | null = null

export const hostDid = (work: HostWork): void => listener?.(work)

/** One at a time. Call what it returns to have the one before again. */
export function listenToHostWork(next: typeof listener): () => void {
  const before = listener
  listener = next
  return () => {
    listener = before
  }
}
