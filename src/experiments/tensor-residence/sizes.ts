/** Sizes a tensor by what the host can make in the time at hand. Pure but for the trial's clock. */
import { randomWord } from '../../gpu/kernels/pcg'
import { MAX_QUEUED_MS, wholeTiles } from '../sizing'

/** Smaller ones are lost beside the launch. */
const LEAST_WORDS = 2 ** 14
const TRIAL_WORDS = 2 ** 16
const TRIALS = 12

/**
 * Times how long this host takes to make a word, ms: the fastest of some trials, since compilers
 * need the first ones.
 */
export function hostWordMs(nowMs: () => number): number {
  const words = new Uint32Array(TRIAL_WORDS)
  let bestMs = Infinity
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const startMs = nowMs()
    for (let index = 0; index < TRIAL_WORDS; index += 1) words[index] = randomWord(index, trial)
    bestMs = Math.min(bestMs, nowMs() - startMs)
  }
  // A clock in steps of 0.1 ms or more may show none at all.
  return Math.max(bestMs, 0.02) / TRIAL_WORDS
}

/** Few sizes in all (wholeTiles), so that two runs on one machine mostly have the same. */
export const tensorWords = (targetMs: number, wordMs: number, most: number): number =>
  Math.min(wholeTiles(most), Math.max(LEAST_WORDS, wholeTiles(targetMs / wordMs)))

/**
 * The most words that a device makes `steps` times within what the lab queues, given how long it
 * takes for so many.
 */
export const mostWords = (words: number, kernelMs: number, steps: number): number =>
  Math.max(LEAST_WORDS, (words * 0.9 * MAX_QUEUED_MS) / (steps * Math.max(kernelMs, 1e-4)))
