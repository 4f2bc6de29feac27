import { expect, test } from 'vitest'
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import { diagnosed } from '../testing/training-loop'

const WORKER = 5001
const STEP_US = 10_000

/** Four steps of 10 ms. Correlations of a step are 10 times its number, and more. */
async function steps(add: (file: KinetoFile, at: number, id: number) => void) {
  const file = new KinetoFile({ originUs: 5e9 })
  for (let step = 0; step < 4; step += 1) {
    const at = STEP_US * step
    file.operator(`ProfilerStep#${String(step)}`, [at, at + STEP_US], 'user_annotation')
    add(file, at, 10 * step + 1)
  }
  const { replayed, without, diagnosis } = diagnosed((await opened(file.bytes())).trace)
  const { recordedNs, replayedNs } = replayed.replay
  expect(replayedNs).toBeCloseTo(recordedNs, -3)
  return { without, diagnosis }
}

const launch = (file: KinetoFile, id: number, from: number, tid = file.pid) =>
  file.call('cudaLaunchKernel', id, [from, from + 10], tid).kernel('gemm', id, [from + 15, from + 115])

test('the main thread waits for one that works until it goes on', async () => {
  const { without, diagnosis } = await steps((file, at, id) => {
    launch(file, id, at + 20)
    // The worker prepares for 8 ms, which nobody records, and copies. The loop goes on after that.
    file
      .call('cudaMemcpyAsync', id + 1, [at + 8100, at + 8120], WORKER)
      .copy('HtoD (Pinned -> Device)', id + 1, [at + 8130, at + 8200], 4e6, 9)
      // This call overlaps the main thread's: otherwise the two are read as one sequence.
      .call('cudaEventRecord', 1000 + id, [at + 8195, at + 8215], WORKER)
    launch(file, id + 2, at + 8200)
    launch(file, id + 3, at + 9900)
  })
  expect(diagnosis.findings[0]?.cause).toBe('host-code')
  expect(without('host-code')).toBeLessThan(0.5 * STEP_US)
})

test('a thread that nothing else explains goes on as the main one does', async () => {
  const { without } = await steps((file, at, id) => {
    // The loop's own code takes 9 ms; the worker launches in the middle of it.
    launch(file, id, at + 20)
    launch(file, id + 1, at + 5000, WORKER)
    launch(file, id + 2, at + 9100)
    launch(file, id + 3, at + 9105, WORKER)
  })
  expect(without('host-code')).toBeLessThan(0.2 * STEP_US)
})

test('a launch that lasts as long as another thread’s blocking copy waits for it', async () => {
  const { without, diagnosis } = await steps((file, at, id) => {
    file
      .call('cudaMemcpyAsync', id, [at + 50, at + 8050], WORKER)
      .copy('HtoD (Pageable -> Device)', id, [at + 60, at + 8000], 8e7, 9)
      .operator('aten::mm', [at + 90, at + 8110])
      .call('cudaLaunchKernel', id + 1, [at + 100, at + 8100])
      .kernel('gemm', id + 1, [at + 8105, at + 8300])
    for (let next = 2; next < 6; next += 1) launch(file, id + next, at + 8100 + 100 * next)
  })
  expect(diagnosis.findings[0]?.cause).toBe('pageable-copies')
  expect(without('pageable-copies')).toBeLessThan(0.9 * STEP_US)
})
