import { expect, it } from 'vitest'
import { FakeWorker } from '../../testing/fake-worker'
import { placeTrace } from '../../trace/place'
import { TraceBuilder } from '../../trace/builder'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import { tableInWorker, type TableAnswer, type TableRequest } from './client'

const placed = placeTrace(new TraceBuilder(testInfo, { originMs: 0, stepNs: 1 }).freeze())
const request: TableRequest = { placed, kind: 'kernels', options: {} }

function asked() {
  const worker = new FakeWorker<{ asked: TableRequest; told: TableAnswer }>()
  const stop = new AbortController()
  return { worker, stop, table: tableInWorker(request, stop.signal, () => worker as unknown as Worker) }
}

it('hands the profile to a worker, and gives its table', async () => {
  const { worker, table } = asked()
  expect(worker.requests).toEqual([structuredClone(request)])
  const answer = {
    table: { kind: 'kernels', columns: [], rows: [], steps: 0, stepNs: 0 },
    peak: null,
  } as const
  worker.say(answer)
  expect(await table).toBe(answer)
  expect(worker.terminated).toBe(1)
})

it('rejects where the worker fails or dies, and ends it with whoever asked', async () => {
  const [failing, dying, left] = [asked(), asked(), asked()]
  failing.worker.say({ fault: { code: 'internal', message: 'no' } })
  await expect(failing.table).rejects.toMatchObject({ fault: { message: 'no' } })
  dying.worker.die()
  await expect(dying.table).rejects.toMatchObject({ fault: { code: 'worker' } })
  left.stop.abort()
  await expect(left.table).rejects.toMatchObject({ fault: { code: 'worker' } })
  expect([failing, dying, left].map(({ worker }) => worker.terminated)).toEqual([1, 1, 1])
})
