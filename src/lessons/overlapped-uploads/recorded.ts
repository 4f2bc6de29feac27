/**
 * How much of an upload a ring of two hides in PyTorch: the host's filling, and the copies, which share their stream with the kernels. Who
 * makes the batches there, and what a copy to the CPU held that was read too early.
 */
import type { Prose } from '../../experiments/declare/quote'
import {
  fieldOf,
  medianIn,
  numberIn,
  type CudaFigures,
  type Json,
  type Recorded,
  type RecordedSide,
} from '../recorded'

const SERIAL = 'torch-overlapped-uploads-serial.json.gz'
const RING = 'torch-overlapped-uploads-ring-2.json.gz'
const TWO_STREAMS = 'torch-overlapped-uploads-overlapped.json.gz'

const LOADER = 'torch-overlapped-uploads-loader.json'

/** A step by who makes its batch; nothing where one of the figures is missing. */
function makers(json: Json | null, ms: (value: number) => string): Prose {
  const medianOf = (way: string): number | null => medianIn(json, way)?.value ?? null
  const [atHand, inline, pinned, worker, workers] = [
    'atHandMs',
    'inlineMs',
    'inlinePinnedMs',
    'workerPinnedMs',
    'workersPinnedMs',
  ].map(medianOf)
  if (atHand == null || inline == null || pinned == null || worker == null || workers == null) return []
  // Seen on the H200: 17 ms in the loop, 21 by one worker, with 15 ms of products and 15 of making.
  const gainedNothing =
    worker < pinned
      ? ''
      : ' One worker gained nothing there: a loop that waits for nothing makes its next batch while the GPU computes.'
  return [
    `In PyTorch’s recording a step with batches at hand took ${ms(atHand)}. Made in the loop (\`num_workers=0\`) it took ${ms(inline)}, and ${ms(pinned)} with \`pin_memory=True\`. Made by one worker it took ${ms(worker)}, by four ${ms(workers)}, all of them pinned.${gainedNothing}`,
  ]
}

const countsIn = (json: Json | null, ...path: readonly string[]): readonly number[] => {
  const counts = fieldOf(json, ...path)
  return Array.isArray(counts) ? counts.filter((each) => typeof each === 'number') : []
}

/** Wrong elements of a copy to the CPU, seen at once and after its event; nothing where the race was not both seen and mended. */
function readTooEarly(json: Json | null, say: Recorded['say']): Prose {
  const elements = numberIn(json, 'race', 'elements')
  const early = countsIn(json, 'race', 'behindWork', 'early')
  const after = countsIn(json, 'race', 'behindWork', 'after')
  const most = Math.max(0, ...early)
  if (elements === null || most === 0 || after.length !== early.length || after.some((count) => count > 0))
    return []
  return [
    `The same recording read a copy too early: \`x.to("cpu", non_blocking=True)\` behind a step’s work, compared on the CPU at once. Of ${say(elements, 'count')} elements up to ${say(most, 'count')} were wrong, in ${say(early.filter((count) => count > 0).length, 'count')} of ${say(early.length, 'count')} copies. After an event behind the copy, none was.`,
  ]
}

/** As the lesson defines it: what the ring saves of a serial step, over the part of that step that is not kernels. */
function hiddenShare(serial: CudaFigures | null, ring: CudaFigures | null): number | null {
  if (!serial || !ring || serial.stepMs === null || ring.stepMs === null || serial.kernelRatio === null)
    return null
  const uploadMs = serial.stepMs * (1 - serial.kernelRatio)
  const kernelsMs = serial.stepMs * serial.kernelRatio
  const shorterMs = Math.min(uploadMs, kernelsMs)
  return shorterMs > 0 ? (serial.stepMs - ring.stepMs) / shorterMs : null
}

export const overlappedUploadsRecorded: RecordedSide = {
  files: [SERIAL, RING, TWO_STREAMS, LOADER],
  headlines: [
    {
      metric: 'overlap-efficiency',
      file: RING,
      sameScale: true,
      figure: (recorded) => {
        const [serial, ring, two] = [SERIAL, RING, TWO_STREAMS].map((file) => recorded.profile(file))
        const value = hiddenShare(serial ?? null, ring ?? null)
        const copies = ring?.hiddenCopyRatio ?? null
        const beside = two?.hiddenCopyRatio ?? null
        if (value === null || copies === null) return null
        const onTwo =
          beside === null ? '' : ` With a stream of their own it is ${recorded.say(beside, 'ratio')}.`
        return {
          value,
          unit: 'ratio',
          words: `in PyTorch: pinned memory, a ring of two. Of the copies by themselves, ${recorded.say(copies, 'ratio')} ran beside kernels.${onTwo}`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(LOADER)
    return [...makers(json, (value) => recorded.say(value, 'ms')), ...readTooEarly(json, recorded.say)]
  },
}
