/** View, route and device stores. */
import { describe, expect, it } from 'vitest'
import { createDeviceStore } from './device-store'
import { lessonRoute } from './url'
import { createRouteStore } from './route-store'
import { createMemory } from './storage'
import { createFakeClient, fakeEnvironment } from './testing/fake-client'
import { memoryStorage } from './testing/memory-storage'
import { createViewStore } from './view-store'

describe('view store', () => {
  it('remembers the theme', () => {
    const { open } = memoryStorage()
    createViewStore(createMemory(open)).setTheme('dark')
    expect(createViewStore(createMemory(open)).store.getState().theme).toBe('dark')
  })

  it('falls back to the system for a theme that it does not know', () => {
    const { items, open } = memoryStorage()
    items.set('host-device-lab:view', JSON.stringify({ version: 1, data: { theme: 'neon' } }))
    expect(createViewStore(createMemory(open)).store.getState().theme).toBe('system')
  })
})

describe('route store', () => {
  const fakePage = (hash: string) => {
    const listeners: (() => void)[] = []
    const replaced: string[] = []
    return {
      replaced,
      location: { hash },
      history: {
        replaceState: (_data: unknown, _unused: string, url: string) => {
          replaced.push(url)
        },
      },
      addEventListener: (_type: 'hashchange', listener: () => void) => {
        listeners.push(listener)
      },
      change: (next: string, page: { location: { hash: string } }) => {
        page.location.hash = next
        for (const listener of listeners) listener()
      },
    }
  }

  it('follows the address', () => {
    const page = fakePage('#/device')
    const { store } = createRouteStore(page)
    expect(store.getState().route).toEqual({ page: 'device' })
    page.change('#/run/x?steps=4', page)
    expect(store.getState().route).toEqual({ page: 'run', id: 'x', query: { steps: '4' } })
  })

  it('replaces without a step in the history', () => {
    const page = fakePage('#/')
    const routes = createRouteStore(page)
    routes.replace(lessonRoute('a', '', '', { rings: '1,2' }))
    expect(page.replaced).toEqual(['#/lessons/a?rings=1,2'])
    expect(routes.store.getState().route).toMatchObject({ id: 'a' })
  })
})

describe('device store', () => {
  it('asks once what the device is, and measures only on request', async () => {
    const client = createFakeClient()
    const device = createDeviceStore(client)
    await Promise.all([device.describe(), device.describe()])
    await device.describe()
    expect(client.asked).toEqual(['describe'])
    expect(device.store.getState()).toMatchObject({ phase: 'known', device: {}, environment: null })
    client.answer = fakeEnvironment({ completionLatencyMs: 3 })
    await Promise.all([device.measure(), device.measure()])
    expect(client.asked).toEqual(['describe', 'measure'])
    expect(device.store.getState()).toMatchObject({
      environment: { completionLatencyMs: 3 },
      measuring: false,
    })
    await device.measure()
    expect(client.asked).toHaveLength(3)
  })

  it('keeps what was measured when asked again what the device is', async () => {
    const device = createDeviceStore(createFakeClient())
    device.adopt(fakeEnvironment({ completionLatencyMs: 3 }))
    await device.describe()
    expect(device.store.getState().environment?.completionLatencyMs).toBe(3)
  })

  it('says why there is none, and asks anew when told to', async () => {
    const client = createFakeClient()
    client.answer = { code: 'no-webgpu', message: 'navigator.gpu is missing' }
    const device = createDeviceStore(client)
    await device.describe()
    expect(device.store.getState()).toMatchObject({ phase: 'unavailable', fault: { code: 'no-webgpu' } })
    client.answer = fakeEnvironment()
    await device.describe()
    expect(device.store.getState()).toMatchObject({ phase: 'known', fault: null })
  })

  it('notes a loss, and forgets it with the next device', async () => {
    const client = createFakeClient()
    const device = createDeviceStore(client)
    await device.describe()
    device.restart()
    expect(device.store.getState().lost?.code).toBe('device-lost')
    await device.measure()
    expect(device.store.getState().lost).toBeNull()
  })
})
