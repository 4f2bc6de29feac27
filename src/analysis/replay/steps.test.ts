import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import { placeTrace } from '../../trace/place'
import { summariseDevices } from '../devices'
import { readProgram } from './read-program'

/** Steps of 1,000 µs with these kernels; `marks`: what else the host has in each. */
function loop(kernels: readonly string[], marks: (file: KinetoFile, atUs: number, step: number) => void) {
  const file = new KinetoFile({ originUs: 5e9 })
  for (let step = 0; step < 6; step += 1) {
    const atUs = 1000 * step
    marks(file, atUs, step)
    for (const [index, name] of kernels.entries()) {
      const begin = atUs + 100 + 200 * index
      file
        .call('cudaLaunchKernel', 10 * step + index + 1, [begin, begin + 5])
        .kernel(name, 10 * step + index + 1, [begin + 8, begin + 150])
    }
  }
  return file
}

/**
 * The steps of the first device: their source, their number, and where each begins and the last
 * ends, µs from the first.
 */
async function stepsOf(file: KinetoFile) {
  const placed = placeTrace((await opened(file.bytes())).trace)
  const read = readProgram(placed, summariseDevices(placed)[0]?.id ?? '')
  if (typeof read === 'string') return read
  const { from, edgesNs } = read.steps
  return { from, edgesUs: edgesNs.map((edge) => (edge - (edgesNs[0] ?? 0)) / 1e3) }
}
const THOUSANDS = [0, 1000, 2000, 3000, 4000, 5000]

describe('steps of a profile', () => {
  it('are the profiler’s marks where it has them, whatever else repeats', async () => {
    const file = loop(['gemm', 'add'], (own, at, step) => {
      own
        .operator(`ProfilerStep#${String(step + 3)}`, [at + 50, at + 990], 'user_annotation')
        .operator('forward', [at + 60, at + 900], 'user_annotation')
    })
    expect(await stepsOf(file)).toEqual({ from: 'profiler-step', edgesUs: [...THOUSANDS, 5940] })
  })

  it('else the file’s own ranges that hold the most launches, each some', async () => {
    const file = loop(['gemm', 'add'], (own, at) => {
      own
        .operator('train', [at + 50, at + 990], 'user_annotation')
        .operator('forward', [at + 60, at + 200], 'user_annotation')
    })
    expect(await stepsOf(file)).toEqual({ from: 'ranges', edgesUs: [...THOUSANDS, 5940] })
  })

  it('whose last end is no step’s where more is launched between them', async () => {
    const file = loop(['gemm', 'mul', 'add'], (own, at) =>
      own.operator('forward', [at + 60, at + 400], 'user_annotation'),
    )
    expect(await stepsOf(file)).toEqual({ from: 'ranges', edgesUs: THOUSANDS })
  })

  it('else the period of what is launched', async () => {
    const file = loop(['gemm', 'add', 'add'], () => undefined)
    expect(await stepsOf(file)).toEqual({ from: 'period', edgesUs: THOUSANDS })
  })

  it('without the first of them, which launches what the others have', async () => {
    const file = loop(['gemm', 'add', 'add'], (own, at, step) => {
      if (step > 0) return
      own.call('cudaLaunchKernel', 99, [at + 10, at + 15]).kernel('fill', 99, [at + 20, at + 30])
      own.call('cudaLaunchKernel', 98, [at + 340, at + 345]).kernel('zero', 98, [at + 460, at + 480])
    })
    expect(await stepsOf(file)).toEqual({ from: 'period', edgesUs: THOUSANDS.slice(0, -1) })
  })

  it('but no period of a few launches, which may be alike by chance', async () => {
    const file = loop(['fill'], () => undefined)
    expect(await stepsOf(file)).toMatchObject({ from: 'extent' })
  })

  it('but no layers, which one call of a module holds', async () => {
    const file = loop(['gemm', 'add', 'add'], () => undefined)
    file.operator('nn.Module: Decoder_0', [50, 5900], 'python_function')
    expect(await stepsOf(file)).toEqual({ from: 'extent', edgesUs: [0, 5850] })
  })

  it('else the host’s extent as one, with what comes before the first launch', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
      .operator('aten::index', [0, 800])
      .call('cudaLaunchKernel', 1, [800, 805])
      .kernel('gemm', 1, [810, 900])
      .call('cudaLaunchKernel', 2, [806, 810])
      .kernel('add', 2, [905, 950])
      .call('cudaDeviceSynchronize', 3, [820, 1000])
    expect(await stepsOf(file)).toEqual({ from: 'extent', edgesUs: [0, 1000] })
  })

  it('are not looked for where no call brought the work', async () =>
    expect(await stepsOf(new KinetoFile().kernel('gemm', 1, [0, 9]))).toContain('names no call'))
})
