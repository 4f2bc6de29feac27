/** The CUDA side of 'Asynchronous submission': launches queued, and each awaited with torch.cuda.synchronize(). */
import { isSound, NOT_MEASURED, side, UNSOUND, whose } from '../cuda-words'
import type { CudaSide } from '../lesson'

export const asyncSubmissionCuda: CudaSide = {
  intro: [
    'The same in PyTorch: 12 matrix products, once all queued, once with `torch.cuda.synchronize()` after each. `torch.profiler` recorded both. They are drawn in the lanes you know: [[host:the Python thread]] with its launches above, [[device:the CUDA stream]] below.',
    'In *queued*, look at how early the launches end. In *awaited*, look at what is between two kernels: `synchronize()` returns, Python launches the next kernel, and only then does the device start it.',
  ],
  profiles: [
    {
      id: 'queued',
      title: 'All products queued',
      file: 'torch-async-submission-queued.json.gz',
      does: '`c.addmm_(a, b)` 12 times, one wait at the end.',
      twin: 'queued',
    },
    {
      id: 'awaited',
      title: 'Each product awaited',
      file: 'torch-async-submission-awaited.json.gz',
      does: '`torch.cuda.synchronize()` after every product.',
      twin: 'await-each',
    },
  ],
  script: 'async_submission.py',
  compared: (cuda, own) => {
    const awaited = cuda.get('awaited')?.kernelRatio ?? null
    const cudaSide =
      awaited === null
        ? []
        : [
            `Awaiting each product left CUDA’s device at work for ${cuda.say('awaited', 'kernelRatio')} of the time; queued, it was ${cuda.say('queued', 'kernelRatio')}.`,
          ]
    if (!own) return [...cudaSide, NOT_MEASURED]
    if (!isSound(own)) return [...cudaSide, UNSOUND]
    const mine = own.get('device-busy-ratio', 'await-each')
    if (!mine || mine.value === null)
      return [
        ...cudaSide,
        `How busy ${whose(own)} was when each step was awaited was not measured in this run.`,
      ]
    if (awaited === null) return []
    const figure = own.metric('device-busy-ratio', 'await-each')
    const where = side(mine, awaited)
    if (where < 0)
      return [
        ...cudaSide,
        `With **await-each**, ${whose(own)} was busy for ${figure}: less. The order of events is the same in both. What differs is how long it takes until the program finds out that a step has ended, and how long a step is.`,
      ]
    if (where > 0)
      return [
        ...cudaSide,
        `With **await-each**, ${whose(own)} was busy for ${figure}: more. That does not make its waits shorter. The longer the work between two waits, the less they weigh, and your products and those of the recording take different times.`,
      ]
    return [
      ...cudaSide,
      `With **await-each**, ${whose(own)} was busy for ${figure}, which cannot be told apart from that.`,
    ]
  },
}
