import { fakeWorkers } from '../../testing/fake-worker'
import { describe, expect, it, vi } from 'vitest'
import { createImportClient } from './client'
import type { ImportEvent, ImportRequest } from './protocol'

const SILENCE_LIMIT_MS = 180_000

function setup() {
  const { workers, start } = fakeWorkers<{ asked: ImportRequest; told: ImportEvent }>()
  return { client: createImportClient(start), workers }
}
const options = { origin: 'imported', gaps: 'of-devices' } as const
const file = () => new Blob([new Uint8Array([1, 2, 3])])

describe('ImportClient', () => {
  it('hands a file over as it is', async () => {
    const { client, workers } = setup()
    const source = file()
    const stop = new AbortController()
    const ending = client.read(source, { ...options, signal: stop.signal })
    stop.abort()
    expect(workers[0]?.requests[0]).toEqual({ source, ...options })
    await ending
  })

  it('makes a fault of a worker that could not start', async () => {
    const client = createImportClient(() => {
      throw new TypeError('no workers here')
    })
    expect(await client.read(file(), options)).toMatchObject({
      status: 'failed',
      fault: { message: 'TypeError: no workers here' },
    })
  })

  it('ends the worker at once when cancelled, and hears no more of it', async () => {
    const { client, workers } = setup()
    const stop = new AbortController()
    const onProgress = vi.fn()
    const ending = client.read(file(), { ...options, signal: stop.signal, onProgress })
    workers[0]?.say({ type: 'progress', progress: { fraction: 0.3, phase: 'Reading the events' } })
    expect(onProgress).toHaveBeenCalledWith({ fraction: 0.3, phase: 'Reading the events' })
    stop.abort()
    expect(workers[0]?.terminated).toBe(1)
    expect(await ending).toEqual({ status: 'cancelled' })
  })

  it('starts nothing for a signal that is aborted already', async () => {
    const { client, workers } = setup()
    expect(await client.read(file(), { ...options, signal: AbortSignal.abort() })).toEqual({
      status: 'cancelled',
    })
    expect(workers).toHaveLength(0)
  })

  it('passes a fault on, and makes one of a worker that dies', async () => {
    const { client, workers } = setup()
    const bad = client.read(file(), options)
    workers[0]?.say({ type: 'failed', fault: { code: 'file', message: 'The file is empty.' } })
    expect(await bad).toEqual({ status: 'failed', fault: { code: 'file', message: 'The file is empty.' } })
    const dead = client.read(file(), options)
    workers[1]?.die()
    expect(await dead).toMatchObject({ status: 'failed', fault: { code: 'worker' } })
    expect(workers.map(({ terminated }) => terminated)).toEqual([1, 1])
  })

  it('gives up a reader that is silent, and not one that goes on', async () => {
    vi.useFakeTimers()
    const { client, workers } = setup()
    const ending = client.read(file(), options)
    for (let time = 0; time < 3; time += 1) {
      await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 2000)
      workers[0]?.say({ type: 'progress', progress: { fraction: 0.1, phase: 'Reading the events' } })
    }
    expect(workers[0]?.terminated).toBe(0)
    await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS + 1000)
    expect(await ending).toMatchObject({ status: 'failed', fault: { code: 'timeout' } })
    expect(workers[0]?.terminated).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
