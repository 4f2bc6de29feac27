import { beforeEach, expect, it } from 'vitest'
import { followTestClock, leftOn, openInjected, SMALL_DEVICE, stubRealm } from './testing/injected'
import { FakeGpu } from '../../testing/fake-webgpu'
import { createRequestHandler } from './handle-requests'
import type { WorkerEvent } from './protocol'

beforeEach(stubRealm)

/** What a device is said to be, and how many were opened for it. */
async function described(gpu: GPU | undefined): Promise<WorkerEvent> {
  return await new Promise((resolve) =>
    createRequestHandler({ send: resolve, gpu: () => gpu })({ type: 'describe' }),
  )
}

it('describes the adapter without opening a device', async () => {
  let calls: readonly string[] = []
  const gpu = new FakeGpu({
    ...SMALL_DEVICE,
    onAwait: (call) => {
      calls = [...calls, call]
      return undefined
    },
  })
  expect(await described(gpu as unknown as GPU)).toMatchObject({
    type: 'described',
    device: { adapterName: 'Fake', isSoftware: false, features: ['subgroups', 'timestamp-query'] },
  })
  expect(calls).toEqual(['requestAdapter'])
})

it('says so where the device was measured in a hidden tab, if only for a while, and keeps nothing of it', async () => {
  let events: readonly WorkerEvent[] = []
  let hideAt = 10
  let calls = 0
  let ended: () => void = () => undefined
  const gpu = new FakeGpu({
    ...SMALL_DEVICE,
    onDevice: followTestClock,
    onAwait: () => {
      calls += 1
      if (calls === hideAt) {
        handle({ type: 'visibility', hidden: true })
        handle({ type: 'visibility', hidden: false })
      }
      return undefined
    },
  }) as unknown as GPU
  const handle = createRequestHandler({
    send: (event) => {
      events = [...events, event]
      if (event.type === 'measured' || event.type === 'unavailable') ended()
    },
    gpu: () => gpu,
  })
  const measure = async (): Promise<WorkerEvent | undefined> => {
    const answer = new Promise<void>((resolve) => (ended = resolve))
    handle({ type: 'measure' })
    await answer
    return events.at(-1)
  }
  expect(await measure()).toMatchObject({ type: 'unavailable', fault: { code: 'hidden' } })
  expect(calls).toBeGreaterThan(hideAt)
  hideAt = -1
  expect(await measure()).toMatchObject({ type: 'measured' })
})

// The probe makes some 700 calls that give a promise; the run after it is never begun.
it.each([3, 100, 400])('a run whose probe of the device is cancelled at call %i ends with it', async (at) => {
  const asked = { type: 'run', experiment: 'sync-stalls', params: {} } as const
  const cancelled = openInjected({ fault: 'cancel', at })
  expect((await cancelled.ask(asked)).status).toBe('cancelled')
  expect(leftOn(cancelled.devices)).toEqual([])
})

it('says why there is none', async () =>
  expect(await described(undefined)).toMatchObject({ type: 'unavailable', fault: { code: 'no-webgpu' } }))

it('describes as it measures', async () => {
  const gpu = new FakeGpu(SMALL_DEVICE) as unknown as GPU
  const told = await described(gpu)
  const measured = await openInjected(null).ask({ type: 'measure' })
  if (told.type !== 'described' || measured.status !== 'measured')
    throw new Error(`${told.type}, ${measured.status}`)
  expect(measured.environment).toMatchObject(told.device)
})
