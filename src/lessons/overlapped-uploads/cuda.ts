/** The CUDA side of 'Overlapped uploads': the experiment's own versions, then what only CUDA has: pinned memory and a second stream. */
import type { CudaQuote, CudaSide, Quote } from '../lesson'
import type { CudaFigures } from '../recorded'
import { isSound, NOT_MEASURED, side, UNSOUND, whose } from '../cuda-words'

/** BALANCE of public/companion/overlapped_uploads.py: compute over upload, as the script sized a step. */
const BALANCE_OF_SCRIPT = 1.5

const ratioOf = (cuda: CudaQuote, profile: string): CudaFigures['kernelRatio'] =>
  cuda.get(profile)?.kernelRatio ?? null

function twinsOf(cuda: CudaQuote): readonly string[] {
  if (ratioOf(cuda, 'serial') === null || ratioOf(cuda, 'ring-2') === null) return []
  return [
    `One after the other, CUDA’s kernels had ${cuda.say('serial', 'kernelRatio')} of the time; with a ring of two, ${cuda.say('ring-2', 'kernelRatio')}. A step took ${cuda.say('serial', 'stepMs')} and ${cuda.say('ring-2', 'stepMs')}.`,
  ]
}

function onlyCuda(cuda: CudaQuote): readonly string[] {
  if (['pageable', 'pinned', 'overlapped'].some((profile) => ratioOf(cuda, profile) === null)) return []
  return [
    `With one product a step and nothing to fill, kernels had ${cuda.say('pageable', 'kernelRatio')} of the time from pageable memory, ${cuda.say('pinned', 'kernelRatio')} from pinned memory, and ${cuda.say('overlapped', 'kernelRatio')} with the copies on a stream of their own. A step took ${cuda.say('pageable', 'stepMs')}, ${cuda.say('pinned', 'stepMs')} and ${cuda.say('overlapped', 'stepMs')}.`,
  ]
}

/** The reader's ring of two beside that of the recording. */
function besideTwin(own: Quote, recorded: number): string {
  const mine = own.get('device-busy-ratio', 'ring-2')
  if (!mine || mine.value === null)
    return `How busy ${whose(own)} was with a ring of two was not measured in this run.`
  const where = side(mine, recorded)
  const relation =
    where < 0
      ? 'less than CUDA’s with the same ring'
      : where > 0
        ? 'more than CUDA’s with the same ring'
        : 'which cannot be told apart from CUDA’s with the same ring'
  const sized =
    own.report.params['balance'] === BALANCE_OF_SCRIPT
      ? 'Both were sized so that computing takes one and a half times as long as uploading.'
      : 'The recorded steps were sized so that computing takes one and a half times as long as uploading; in your run the dial *balance* was set otherwise, and there was another amount to hide.'
  return `A ring of two kept ${whose(own)} busy for ${own.metric('device-busy-ratio', 'ring-2')}, ${relation}. ${sized}`
}

export const overlappedUploadsCuda: CudaSide = {
  intro: [
    '*serial* and the rings are those of the experiment, in PyTorch: the host waits until a pinned buffer is free, fills it, and queues a copy and products. `torch.profiler` recorded ten batches of 64 MiB. As in WebGPU there is one queue, so what runs beside the products is the filling. The copy itself takes its turn on the stream.',
    'CUDA also has what WebGPU lacks. *pageable*: the driver copies through a buffer of its own, and Python waits inside `.to("cuda")`. *pinned*: the host queues all copies and products and waits for none of them, which no version of the experiment does; on their one stream they alternate. *overlapped*: the copies are on a second stream, beside the products in time. In these three a step is one product, and no batch is filled.',
    'A device that copies is busy too, so the share to compare is that of the kernels.',
  ],
  profiles: [
    {
      id: 'serial',
      title: 'Fill, copy, multiply, wait',
      file: 'torch-overlapped-uploads-serial.json.gz',
      does: 'One pinned buffer, and `synchronize()` after every step.',
      twin: 'serial',
    },
    {
      id: 'ring-1',
      title: 'A ring of one',
      file: 'torch-overlapped-uploads-ring-1.json.gz',
      does: 'The same buffer, filled again as soon as the step that used it has ended.',
      twin: 'ring-1',
    },
    {
      id: 'ring-2',
      title: 'A ring of two',
      file: 'torch-overlapped-uploads-ring-2.json.gz',
      does: 'Two pinned buffers in turn, each filled again when the step that used it has ended.',
      twin: 'ring-2',
    },
    {
      id: 'ring-3',
      title: 'A ring of three',
      file: 'torch-overlapped-uploads-ring-3.json.gz',
      does: 'Three pinned buffers in turn.',
      twin: 'ring-3',
    },
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
    const cudaSide = [...twinsOf(cuda), ...onlyCuda(cuda)]
    if (!own) return [...cudaSide, NOT_MEASURED]
    if (!isSound(own)) return [...cudaSide, UNSOUND]
    const recorded = ratioOf(cuda, 'ring-2')
    return recorded === null ? cudaSide : [...cudaSide, besideTwin(own, recorded)]
  },
}
