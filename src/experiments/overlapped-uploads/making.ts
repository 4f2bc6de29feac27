/** Batches that are made while the program runs, as a DataLoader makes them: how much work that is here, and who can do it. */
import type { RunContext } from '../../gpu'
import { augmentationsFor, createBatchMaker, MAX_AUGMENTATIONS, timeMaking } from '../../lab/batch-maker'
import { makeInline, openLoader, type Batches } from '../../lab/loader'
import type { Derived } from '../run-types'
import type { KnownBatches } from './gathered'

const SEED = 23

export interface MakingSize {
  readonly augmentations: number
  /** Of a batch, by this thread. */
  readonly makeMs: number
}

/** How many augmentations of a batch of so many numbers bring its making near `targetMs`, by this thread's own time. */
export function sizeMaking(words: number, targetMs: number): MakingSize {
  const { decodeMs, augmentMs } = timeMaking(words, SEED)
  const augmentations = augmentationsFor(targetMs, { decodeMs, augmentMs })
  return { augmentations, makeMs: decodeMs + augmentations * augmentMs }
}

export interface Making {
  /** By the program's own thread. */
  readonly make: (index: number) => Float32Array
  /** By a worker, so many ahead; null where none could be started, or none was asked for. */
  readonly batches: ((ahead: number) => Batches) | null
  readonly known: KnownBatches
  readonly derived: Derived
}

/** @param ahead of the variant that makes most ahead; 0: none has a worker */
export async function openMaking(
  context: RunContext,
  {
    words,
    steps,
    ahead,
    augmentations,
    makeMs,
  }: MakingSize & { readonly words: number; readonly steps: number; readonly ahead: number },
): Promise<Making> {
  const options = { words, count: steps, seed: SEED, augmentations: [augmentations] }
  const known = createBatchMaker(options)
  const opened = ahead > 0 ? await openLoader(context, options, ahead) : null
  return {
    make: makeInline(context, known),
    batches: opened?.ok ? opened.value.batches : null,
    known,
    derived: {
      makeEstimateMs: makeMs,
      augmentations,
      mostAugmentations: MAX_AUGMENTATIONS,
      hostCores: navigator.hardwareConcurrency,
      loaderFailed: opened?.ok === false ? 1 : 0,
      ...(opened?.ok === false ? { loaderProblem: opened.error } : {}),
    },
  }
}
