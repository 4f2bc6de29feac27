/** The CUDA side of 'Sync stalls': the same steps with `.item()` after each, and without. */
import { isSound, NOT_MEASURED, side, UNSOUND, whose } from '../cuda-words'
import type { CudaSide } from '../lesson'

export const syncStallsCuda: CudaSide = {
  intro: [
    'Here is `.item()` itself: 16 matrix products in PyTorch, with `c[0, 0].item()` after each, and without. `torch.profiler` recorded both; the page reads its files and finds the gaps by the same rules as in your own run.',
    'Select a gap of *stalled* to read what the Python thread did in it. The device also pauses between the product and the copy of 4 bytes, but that copy had been launched before: not every gap is a stall.',
  ],
  profiles: [
    {
      id: 'stalled',
      title: 'Stalled by .item()',
      file: 'torch-sync-stalls-stalled.json.gz',
      does: '`.item()` after every product.',
      twin: 'every-step',
    },
    {
      id: 'mended',
      title: 'The same, mended',
      file: 'torch-sync-stalls-mended.json.gz',
      does: 'The same products, nothing read.',
      twin: 'never',
    },
  ],
  script: 'sync_stalls.py',
  compared: (cuda, own) => {
    const stalled = cuda.get('stalled')?.kernelRatio ?? null
    const cudaSide =
      stalled === null
        ? []
        : [
            `With \`.item()\` after each step CUDA’s device ran kernels for ${cuda.say('stalled', 'kernelRatio')} of the time, without it for ${cuda.say('mended', 'kernelRatio')}.`,
          ]
    if (!own) return [...cudaSide, NOT_MEASURED]
    if (!isSound(own)) return [...cudaSide, UNSOUND]
    if (own.report.params['read'] === 'shape')
      return [
        ...cudaSide,
        'Your run looked at the shape only, which waits for nothing: it has no counterpart among these two.',
      ]
    const mine = own.get('device-busy-ratio', 'every-step')
    if (!mine || mine.value === null)
      return [
        ...cudaSide,
        `How busy ${whose(own)} was with a read after every step was not measured in this run.`,
      ]
    if (stalled === null) return []
    const figure = own.metric('device-busy-ratio', 'every-step')
    const where = side(mine, stalled)
    if (where < 0)
      return [
        ...cudaSide,
        `With **every-step**, ${whose(own)} was busy for ${figure}: less. A read through a browser crosses two processes, \`cudaStreamSynchronize()\` is one call; how long a matmul is beside its stall counts as well, and yours and the recorded ones take different times.`,
      ]
    if (where > 0)
      return [
        ...cudaSide,
        `With **every-step**, ${whose(own)} was busy for ${figure}: more than CUDA’s. A slower device, or a longer matmul, makes every stall weigh less; the stall itself stands in the figures above.`,
      ]
    return [
      ...cudaSide,
      `With **every-step**, ${whose(own)} was busy for ${figure}, which cannot be told apart from that.`,
    ]
  },
}
