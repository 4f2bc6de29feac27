/** A naive CUDA kernel replaced by cuBLAS in PyTorch: the factor of the kernel, and that of a step with its transfers. */
import { medianIn, numberIn, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-kernel-ladder.json'

/** Naive over cuBLAS: of the kernels by themselves, or of a step. */
function factorOf(json: Json, ...where: readonly string[]): number | null {
  const [naive, cublas] = ['naive', 'cublas'].map((name) => medianIn(json, ...where, name))
  return naive && cublas && cublas.value > 0 ? naive.value / cublas.value : null
}

export const kernelLadderRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'best-step-speedup',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const json = recorded.json(FILE)
        if (!json) return null
        const [kernel, pageable, pinned] = [
          factorOf(json, 'kernels'),
          factorOf(json, 'steps', 'pageable'),
          factorOf(json, 'steps', 'pinned'),
        ]
        if (kernel === null || pageable === null) return null
        const alsoPinned = pinned === null ? '' : ` With pinned memory: ${recorded.say(pinned, '×')}.`
        return {
          value: pageable,
          unit: '×',
          words: `as fast in PyTorch: cuBLAS for a naive kernel, pageable memory. The kernel alone: ${recorded.say(kernel, '×')}.${alsoPinned}`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(FILE)
    if (!json) return []
    const { say } = recorded
    const ms = (...path: readonly string[]): string | null => {
      const time = medianIn(json, ...path)
      return time && say(time.value, 'ms')
    }
    const n = numberIn(json, 'n')
    const [naive, cublas] = [ms('kernels', 'naive'), ms('kernels', 'cublas')]
    const steps = (['pageable', 'pinned'] as const).flatMap((way) => {
      const [before, after, transfers] = ['naive', 'cublas', 'transfers'].map((name) =>
        ms('steps', way, name),
      )
      if (before == null || after == null || transfers == null) return []
      return [
        `With ${way} memory a whole step took ${before} with the naive kernel and ${after} with cuBLAS. The transfers by themselves took ${transfers}.`,
      ]
    })
    if (n === null || naive === null || cublas === null || steps.length === 0) return []
    return [
      `In the recording of PyTorch, at n = ${String(n)}, a naive CUDA kernel took ${naive} and cuBLAS ${cublas}. ${steps.join(' ')}`,
    ]
  },
}
