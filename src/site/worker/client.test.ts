import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FaultError } from '../../base/fault'
import type { DeviceFacts, Report } from '../../trace/report'
import type { RunInfo } from '../../trace/schema'
import { measuringLock, type RunAlone } from '../../lab/measuring-lock'
import { createLabClient } from './client'
import type { Request, WorkerEvent } from './protocol'
import { eventually } from '../../testing/eventually'
import { FakeWorker, fakeWorkers } from '../../testing/fake-worker'

const CANCEL_LIMIT_MS = 2000

const SILENCE_LIMIT_MS = 90_000

const noOtherTab: RunAlone = (work) => work()

function setup(alone: RunAlone = noOtherTab) {
  const { workers, start } = fakeWorkers<{ asked: Request; told: WorkerEvent }>()
  const client = createLabClient(start, alone)
  const listener = { started: vi.fn(), progress: vi.fn(), chunk: vi.fn() }
  const run = () => client.run('async-submission', {}, { live: true }, listener)
  return { client, workers, listener, run }
}

const report = { experiment: 'async-submission' } as Report
const info = { experiment: 'async-submission' } as RunInfo

it('a worker that cannot be started is a fault, and the next run starts one', async () => {
  const worker = new FakeWorker<{ asked: Request; told: WorkerEvent }>()
  let attempts = 0
  const client = createLabClient(() => {
    attempts += 1
    if (attempts < 4) throw new Error('no room')
    return worker as unknown as Worker
  }, noOtherTab)
  const listener = { started: vi.fn(), progress: vi.fn(), chunk: vi.fn() }
  const run = () => client.run('async-submission', {}, { live: true }, listener)
  for (const ask of [() => client.describe(), run, run])
    await expect(ask()).rejects.toThrow('The engine could not be started: no room.')
  const running = run()
  worker.say({ type: 'ended', runId: 3, ending: { status: 'cancelled' } })
  expect(await running).toEqual({ status: 'cancelled' })
})

describe('LabClient', () => {
  it('starts the worker at the first request', () => {
    const { client, workers } = setup()
    expect(workers).toHaveLength(0)
    client.describe().catch(() => undefined)
    expect(workers[0]?.requests.map((request) => request.type)).toEqual(['visibility', 'describe'])
  })

  it('answers questions in their order', async () => {
    const { client, workers } = setup()
    const [first, second] = [client.describe(), client.measure()]
    workers[0]?.say({ type: 'described', device: { adapterName: 'a' } as DeviceFacts })
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
    workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'done', report, info } })
    expect(await ending).toEqual({ status: 'done', report, info })
    expect(listener.started).toHaveBeenCalledOnce()
    expect(listener.progress).toHaveBeenCalledOnce()
  })

  it('refuses a second run while one goes on, and allows it afterwards', async () => {
    const { workers, run } = setup()
    const first = run()
    await expect(run()).rejects.toBeInstanceOf(FaultError)
    workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'cancelled' } })
    expect(await first).toEqual({ status: 'cancelled' })
    const second = run()
    workers[0]?.say({ type: 'ended', runId: 2, ending: { status: 'done', report, info } })
    expect(await second).toEqual({ status: 'done', report, info })
  })

  it('fails what was under way when the worker dies, and starts a new one for the next', async () => {
    const { workers, run } = setup()
    const ending = run()
    workers[0]?.die('boom')
    expect(await ending).toMatchObject({ status: 'failed', fault: { code: 'worker' } })
    expect(workers[0]?.terminated).toBe(1)
    const next = run()
    expect(workers).toHaveLength(2)
    workers[0]?.say({ type: 'ended', runId: 2, ending: { status: 'done', report, info } }) // the dead one's last words
    workers[1]?.say({
      type: 'ended',
      runId: 2,
      ending: { status: 'failed', fault: { code: 'limit', message: 'x' } },
    })
    expect(await next).toMatchObject({ status: 'failed', fault: { code: 'limit' } })
  })

  it('cancels the run that goes on, and only that', () => {
    const { client, workers, run } = setup()
    client.cancel()
    expect(workers).toHaveLength(0)
    run().catch(() => undefined)
    client.cancel()
    expect(workers[0]?.requests.at(-1)).toEqual({ type: 'cancel', runId: 1 })
  })

  it('tells of a device lost between runs', () => {
    const { client, workers } = setup()
    const heard = vi.fn()
    client.onDeviceLost(heard)
    client.describe().catch(() => undefined)
    const fault = { code: 'device-lost', message: 'x' } as const
    workers[0]?.say({ type: 'device-lost', fault })
    expect(heard).toHaveBeenCalledExactlyOnceWith(fault)
  })
})

describe('nothing waits without an end', () => {
  beforeEach(() => void vi.useFakeTimers())
  const progress = { fraction: 0, message: '', variant: '', repeat: 0 }

  it('a run whose cancel is not answered ends, and the next has a new worker', async () => {
    const { client, workers, run } = setup()
    const ending = run()
    const question = client.describe()
    client.cancel()
    const asked = expect(question).rejects.toMatchObject({ fault: { code: 'worker' } })
    await vi.advanceTimersByTimeAsync(CANCEL_LIMIT_MS)
    expect(await ending).toEqual({ status: 'cancelled' })
    await asked
    expect(workers[0]?.terminated).toBe(1)
    run().catch(() => undefined)
    expect(workers).toHaveLength(2)
  })

  it('a cancel that is answered costs no worker, nor does the run after it', async () => {
    const { client, workers, run } = setup()
    const first = run()
    client.cancel()
    workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'cancelled' } })
    expect(await first).toEqual({ status: 'cancelled' })
    run().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(2 * CANCEL_LIMIT_MS)
    expect(workers[0]?.terminated).toBe(0)
  })

  it('a worker that owes an answer and is silent is replaced', async () => {
    for (const what of ['run', 'describe', 'measure'] as const) {
      const { client, workers, run } = setup()
      const answer = what === 'run' ? run() : client[what]().catch((thrown: unknown) => thrown)
      await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 2000)
      expect(workers[0]?.terminated).toBe(0)
      await vi.advanceTimersByTimeAsync(4000)
      expect(workers[0]?.terminated).toBe(1)
      expect(await answer).toMatchObject({ fault: { code: 'timeout' } })
    }
  })

  it('one that reports, or owes nothing, is not', async () => {
    const { workers, run } = setup()
    const ending = run()
    for (let message = 0; message < 4; message += 1) {
      await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 2000)
      workers[0]?.say({ type: 'progress', runId: 1, progress })
    }
    workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'done', report, info } })
    expect(await ending).toMatchObject({ status: 'done' })
    await vi.advanceTimersByTimeAsync(2 * SILENCE_LIMIT_MS)
    expect(workers[0]?.terminated).toBe(0)
  })
})

describe('two tabs', () => {
  /** Of one site: the first to ask has the lock until its work ends. */
  function fakeLocks() {
    let last = Promise.resolve<unknown>(undefined)
    let asked = 0
    const request = async (
      _name: string,
      { ifAvailable = false, signal }: LockOptions,
      work: (lock: Lock | null) => Promise<unknown>,
    ) => {
      if (ifAvailable && asked > 0) return await work(null)
      asked += 1
      const before = last
      const aborted = new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      const mine = Promise.race([before, aborted]).then(() => work({} as Lock))
      last = mine.catch(() => undefined)
      try {
        return await mine
      } finally {
        asked -= 1
      }
    }
    return { request } as unknown as Pick<LockManager, 'request'>
  }

  it('measure one after the other, and the one that waits says so', async () => {
    const locks = fakeLocks()
    const [a, b] = [setup(measuringLock(locks)), setup(measuringLock(locks))]
    const first = a.run()
    const second = b.run()
    await eventually(() => expect(b.listener.progress).toHaveBeenCalledOnce())
    expect(b.workers).toHaveLength(0)
    a.workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'done', report, info } })
    await first
    await eventually(() => expect(b.workers).toHaveLength(1))
    b.workers[0]?.say({ type: 'ended', runId: 1, ending: { status: 'done', report, info } })
    expect(await second).toMatchObject({ status: 'done' })
  })

  it('and a wait can be cancelled', async () => {
    const locks = fakeLocks()
    const [a, b] = [setup(measuringLock(locks)), setup(measuringLock(locks))]
    a.run().catch(() => undefined)
    const second = b.run()
    await eventually(() => expect(b.listener.progress).toHaveBeenCalledOnce())
    b.client.cancel()
    expect(await second).toEqual({ status: 'cancelled' })
    expect(b.workers).toHaveLength(0)
  })
})
