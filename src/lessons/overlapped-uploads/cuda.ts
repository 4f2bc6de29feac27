/** The CUDA side of 'Overlapped uploads': from pageable memory; pinned on one stream; pinned on two, with events. */
import { isSound, NOT_MEASURED, side, UNSOUND, whose } from '../cuda-words'
import type { CudaSide } from '../lesson'

export const overlappedUploadsCuda: CudaSide = {
  intro: [
    'CUDA has what WebGPU lacks: pinned memory and a second stream. `torch.profiler` recorded ten batches of 64 MiB and ten products in PyTorch, in three versions.',
    '*pageable*: the driver copies through a buffer of its own, and Python waits inside `.to("cuda")`. *pinned*: the host queues all copies and products without waiting, yet on their one stream they alternate. *overlapped*: the copies are on a second stream, beside the products in time.',
    'A device that copies is busy too, so the share to compare is that of the kernels.',
  ],
  profiles: [
    {
      id: 'pageable',
      title: 'Uploads from pageable memory',
      file: 'torch-overlapped-uploads-pageable.json.gz',
      does: '`.to("cuda")` from ordinary memory.',
      twin: null,
    },
    {
      id: 'pinned',
      title: 'Uploads from pinned memory',
      file: 'torch-overlapped-uploads-pinned.json.gz',
      does: 'From pinned memory, `non_blocking=True`, one stream.',
      twin: null,
    },
    {
      id: 'overlapped',
      title: 'Uploads on a second stream',
      file: 'torch-overlapped-uploads-overlapped.json.gz',
      does: 'Pinned, two streams, two batches, events in both directions.',
      twin: null,
    },
  ],
  script: 'overlapped_uploads.py',
  compared: (cuda, own) => {
    const overlapped = cuda.get('overlapped')?.kernelRatio ?? null
    const cudaSide =
      overlapped === null
        ? []
        : [
            `Of CUDA’s time kernels had ${cuda.say('pageable', 'kernelRatio')} from pageable memory, ${cuda.say('pinned', 'kernelRatio')} from pinned, ${cuda.say('overlapped', 'kernelRatio')} with the copies on a stream of their own; a step took ${cuda.say('pageable', 'stepMs')}, ${cuda.say('pinned', 'stepMs')} and ${cuda.say('overlapped', 'stepMs')}.`,
          ]
    if (!own) return [...cudaSide, NOT_MEASURED]
    if (!isSound(own)) return [...cudaSide, UNSOUND]
    const mine = own.get('device-busy-ratio', 'ring-2')
    if (!mine || mine.value === null)
      return [...cudaSide, `How busy ${whose(own)} was with a ring of two was not measured in this run.`]
    if (overlapped === null) return []
    const figure = own.metric('device-busy-ratio', 'ring-2')
    const where = side(mine, overlapped)
    const relation =
      where < 0
        ? 'less than CUDA’s with two streams'
        : where > 0
          ? 'more than CUDA’s with two streams'
          : 'which cannot be told apart from CUDA’s with two streams'
    return [
      ...cudaSide,
      `A ring of two kept ${whose(own)} busy for ${figure}, ${relation}. How much there is to hide, upload over compute, differs between the two: in your run the dial *balance* sets it, in the recording it is what 64 MiB and a product of 4096³ take.`,
    ]
  },
}
