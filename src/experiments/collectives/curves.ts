/**
 * The α-β model of each algorithm (../declare/line.ts). `messages`: how many follow one another on
 * the longest way, where those that are under way together count once; `share`: of the buffer's
 * bytes, what the busiest rank sends, or receives, one after the other. After Chan, Heimlich,
 * Purkayastha and van de Geijn, Collective communication: theory, practice, and experience,
 * Concurrency and Computation: Practice and Experience 19 (2007), with one difference: at a root
 * that sends to all at once the messages' α overlap, since the senders and receivers of this wire
 * wait side by side. Adding up costs nothing here. Pure.
 */
import type { Cost } from '../declare/line'
import { NAIVE, RING, type Algorithm, type Operation } from './variants'

const plus = (a: Cost, b: Cost): Cost => ({ messages: a.messages + b.messages, share: a.share + b.share })

/** The cost of a collective on `n` ranks. */
export function costOf(operation: Operation, algorithm: Algorithm, n: number): Cost {
  const others = (n - 1) / n
  if (algorithm === RING) {
    const round = { messages: n - 1, share: others }
    // A broadcast is passed on block by block, n blocks over n - 1 links: the last one leaves when
    // n - 1 are under way.
    return operation === 'all-reduce' || operation === 'broadcast' ? plus(round, round) : round
  }
  const rounds = algorithm === NAIVE ? 1 : Math.ceil(Math.log2(n))
  const whole = { messages: rounds, share: algorithm === NAIVE ? n - 1 : rounds }
  const blocks = { messages: rounds, share: others }
  switch (operation) {
    case 'broadcast':
      return whole
    case 'gather':
      return blocks
    case 'all-reduce':
      return plus(whole, whole)
    default:
      return plus(whole, blocks)
  }
}

/**
 * Bytes from which on the model has the ring ahead of naive, as a multiple of α · B: 0 where it is
 * from the first byte on, Infinity where it never is. 'all-reduce' on 2 ranks: 0; on 8 ranks 48/49.
 */
export function crossingFactor(operation: Operation, n: number): number {
  const [naive, ring] = [costOf(operation, NAIVE, n), costOf(operation, RING, n)]
  const [later, lighter] = [ring.messages - naive.messages, naive.share - ring.share]
  if (later <= 0) return lighter >= 0 ? 0 : Infinity
  return lighter > 1e-12 ? later / lighter : Infinity // 1e-12: what is left of equal shares
}
