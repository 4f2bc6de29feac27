/** For how long, ms, and how often at most an operation is repeated in a window. */
const REPEATED = {
  /** Far above the host clock's step, be it 5 µs or 100 µs. */
  cpu: [4, 200],
  /** Completion is reported at the browser's own pace: several trips meet several phases of it, but a window shall stay short. */
  awaited: [100, 4],
  /** The end of a queue is reported late, once a window: the longer the queue, the less that weighs. But it must be encoded, too. */
  queued: [24, 1024],
} as const

/** `besidesMs`: round trips for operands, stamps and checks. NaN ms where the operation has none. */
export function windowOf(
  variant: string,
  kind: keyof typeof REPEATED,
  operationMs: number,
  besidesMs: number,
  uses = 1,
) {
  const [windowMs, most] = REPEATED[kind]
  const wanted = Math.min(Math.round(windowMs / operationMs), Math.floor(most / uses))
  const operations = Math.max(1, wanted)
  return { variant, operations, ms: operations * operationMs + besidesMs }
}
