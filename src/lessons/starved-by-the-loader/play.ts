/**
 * It asks about a batch that takes twice as long to make as to compute on, and one worker: here
 * making takes longer.
 */
import { POLLS_OFTEN, MOST_STEPS, again, computesFor, counts, kernelOf, ms } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

/** Batches that each worker has ahead, as in the lesson and in PyTorch. */
const PREFETCH = 2
/** Any number: what is carried takes no time here. */
const BYTES = 256

export const play = playWith({
  asks: 'When does another worker help, and when does it no longer? Follow a batch by its number.',
  handles: {
    makingMs: kernelOf('Making a batch', 3, 6, 5),
    kernelMs: kernelOf('Computing on it', 0.6, 1.2, 1),
    workers: { label: 'Workers', ...counts([1, 2, 3, 4, 5], 2) },
  },
  windowNs: 16e6,
  program: 'starved-by-the-loader/workers',
  profile: () => ({ process: POLLS_OFTEN }),
  input: ({ makingMs, kernelMs, workers }, { kernel, buffer, loader }) => ({
    loader: loader({ workers, makeNs: makingMs * 1e6, ahead: PREFETCH * workers, bytes: BYTES }),
    target: buffer(BYTES, 'device'),
    uses: again({ encode: () => undefined }),
    matmul: kernel(kernelMs * 1e6),
    steps: MOST_STEPS,
  }),
  // So many batches are ready together.
  round: ({ workers }) => workers,
  says: (_, seen) =>
    `With a core for each worker, a step takes ${ms(seen.stepNs)} on average once the first batches are there. ${computesFor(seen)}`,
})
