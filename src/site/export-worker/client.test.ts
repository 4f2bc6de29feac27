import { expect, it, vi } from 'vitest'
import { FakeWorker } from '../../testing/fake-worker'
import { TraceBuilder } from '../../trace/builder'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import { exportInWorker } from './client'
import { writeFile, type ExportEvent, type ExportRequest } from './formats'

const EXPORT_LIMIT_MS = 300_000

const newWorker = () => new FakeWorker<{ asked: ExportRequest; told: ExportEvent }>()
const trace = new TraceBuilder(testInfo, { originMs: 0, stepNs: 1 }).freeze()
const request: ExportRequest = { kind: 'trace-event-gzip', trace, report: null }

it('gives the file over and lets the worker go', async () => {
  const worker = newWorker()
  const writing = exportInWorker(request, () => worker as unknown as Worker)
  expect(worker.requests).toEqual([request])
  const file = await writeFile('trace-event-gzip', { trace, report: null })
  worker.say({ type: 'done', file })
  expect(await writing).toBe(file)
  expect(worker.terminated).toBe(1)
})

it('rejects with what the worker says, and with a fault of its own where the worker dies', async () => {
  const [first, second] = [newWorker(), newWorker()]
  const failed = exportInWorker(request, () => first as unknown as Worker)
  first.say({ type: 'failed', fault: { code: 'internal', message: 'no' } })
  await expect(failed).rejects.toMatchObject({ fault: { code: 'internal', message: 'no' } })
  const dead = exportInWorker(request, () => second as unknown as Worker)
  second.die()
  await expect(dead).rejects.toMatchObject({ fault: { code: 'worker' } })
  expect([first.terminated, second.terminated]).toEqual([1, 1])
})

it('gives up a writer that never answers', async () => {
  vi.useFakeTimers()
  const worker = newWorker()
  const writing = exportInWorker(request, () => worker as unknown as Worker)
  const refused = expect(writing).rejects.toMatchObject({ fault: { code: 'timeout' } })
  await vi.advanceTimersByTimeAsync(EXPORT_LIMIT_MS)
  await refused
  expect(worker.terminated).toBe(1)
})
