import { describe, expect, it, vi } from 'vitest'
import { FaultError } from '../base/fault'
import type { Environment, Report } from '../trace/report'
import type { RunInfo } from '../trace/schema'
import { createLabClient } from './client'
import { PROTOCOL_VERSION, type Request, type WorkerEvent } from './protocol'

class FakeWorker extends EventTarget {
  readonly requests: Request[] = []
  terminated = false
  postMessage(request: Request): void {
    this.requests.push(request)
  }
  terminate(): void {
    this.terminated = true
  }
  say(event: WorkerEvent): void {
    this.dispatchEvent(new MessageEvent('message', { data: event }))
  }
  die(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }))
  }
}

function setup() {
  const workers: FakeWorker[] = []
  const client = createLabClient(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker as unknown as Worker
  })
  const listener = { started: vi.fn(), progress: vi.fn(), chunk: vi.fn() }
  const run = () => client.run('async-submission', {}, { record: true, live: true }, listener)
  return { client, workers, listener, run }
}

const report = { experiment: 'async-submission' } as Report
const info = { experiment: 'async-submission' } as RunInfo

describe('LabClient', () => {
  it('starts the worker at the first request and greets it with its version', () => {
    const { client, workers } = setup()
    expect(workers).toHaveLength(0)
    client.probe(false).catch(() => undefined)
    expect(workers[0]?.requests.map((request) => request.type)).toEqual(['hello', 'visibility', 'probe'])
  })

  it('resolves probes in order', async () => {
    const { client, workers } = setup()
    const [first, second] = [client.probe(false), client.probe(true)]
    workers[0]?.say({ type: 'environment', environment: { adapterName: 'a' } as Environment, full: false })
    workers[0]?.say({ type: 'unavailable', fault: { code: 'no-adapter', message: 'none' } })
    expect((await first).adapterName).toBe('a')
    await expect(second).rejects.toMatchObject({ fault: { code: 'no-adapter' } })
  })

  it('passes on what a run says, and ends it once', async () => {
    const { workers, listener, run } = setup()
    const ending = run()
    workers[0]?.say({ type: 'started', runId: 1, info })
    workers[0]?.say({
      type: 'progress',
      runId: 1,
      progress: { fraction: 0, message: '', variant: '', repeat: 0 },
    })
    workers[0]?.say({
      type: 'progress',
      runId: 99,
      progress: { fraction: 1, message: '', variant: '', repeat: 0 },
    })
    workers[0]?.say({ type: 'done', runId: 1, report, info })
    expect(await ending).toEqual({ status: 'done', report, info })
    expect(listener.started).toHaveBeenCalledOnce()
    expect(listener.progress).toHaveBeenCalledOnce()
  })

  it('refuses a second run while one goes on, and allows it afterwards', async () => {
    const { workers, run } = setup()
    const first = run()
    await expect(run()).rejects.toBeInstanceOf(FaultError)
    workers[0]?.say({ type: 'cancelled', runId: 1 })
    expect(await first).toEqual({ status: 'cancelled' })
    const second = run()
    workers[0]?.say({ type: 'skipped', runId: 2, reason: 'why' })
    expect(await second).toEqual({ status: 'skipped', reason: 'why' })
  })

  it('fails what was under way when the worker dies, and starts a new one for the next', async () => {
    const { workers, run } = setup()
    const ending = run()
    workers[0]?.die('boom')
    expect(await ending).toMatchObject({ status: 'failed', fault: { code: 'worker' } })
    expect(workers[0]?.terminated).toBe(true)
    const next = run()
    expect(workers).toHaveLength(2)
    workers[0]?.say({ type: 'done', runId: 2, report, info }) // the dead one's last words
    workers[1]?.say({ type: 'failed', runId: 2, fault: { code: 'limit', message: 'x' } })
    expect(await next).toMatchObject({ status: 'failed', fault: { code: 'limit' } })
  })

  it('does not talk to an engine of another version', async () => {
    const { workers, run } = setup()
    const ending = run()
    workers[0]?.say({ type: 'ready', version: PROTOCOL_VERSION + 1 })
    expect(await ending).toMatchObject({ status: 'failed', fault: { code: 'worker' } })
  })

  it('cancels the run that goes on, and only that', () => {
    const { client, workers, run } = setup()
    client.cancel()
    expect(workers).toHaveLength(0)
    run().catch(() => undefined)
    client.cancel()
    expect(workers[0]?.requests.at(-1)).toEqual({ type: 'cancel', runId: 1 })
  })

  it('tells of a device lost between runs, until told not to', () => {
    const { client, workers } = setup()
    const heard = vi.fn()
    const stop = client.onDeviceLost(heard)
    client.probe(false).catch(() => undefined)
    const fault = { code: 'device-lost', message: 'x' } as const
    workers[0]?.say({ type: 'device-lost', fault })
    stop()
    workers[0]?.say({ type: 'device-lost', fault })
    expect(heard).toHaveBeenCalledExactlyOnceWith(fault)
  })
})
