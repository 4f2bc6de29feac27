/** How much of an upload a ring of two hides in PyTorch: the host's filling, and the copies, which share their stream with the kernels. */
import type { CudaFigures, RecordedSide } from '../recorded'

const SERIAL = 'torch-overlapped-uploads-serial.json.gz'
const RING = 'torch-overlapped-uploads-ring-2.json.gz'
const TWO_STREAMS = 'torch-overlapped-uploads-overlapped.json.gz'

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
  files: [SERIAL, RING, TWO_STREAMS],
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
}
