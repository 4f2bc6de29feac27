/** View, route and device stores. */
import { describe, expect, it, vi } from 'vitest'
import { createDeviceStore } from './device-store'
import { lessonRoute } from './url'
import { createRouteStore } from './route-store'
import { createLocalStore } from './storage'
import { createFakeClient, fakeEnvironment } from './testing/fake-client'
import { memoryStorage } from './testing/memory-storage'
import { createViewStore } from './view-store'

describe('view store', () => {
  it('remembers the theme', () => {
    const { open } = memoryStorage()
    createViewStore(createLocalStore(open)).set({ theme: 'dark' })
    expect(createViewStore(createLocalStore(open)).store.getState().theme).toBe('dark')
  })

  it('falls back to the system for a theme that it does not know', () => {
    const { items, open } = memoryStorage()
    items.set('host-device-lab:view', JSON.stringify({ version: 1, data: { theme: 'neon' } }))
    expect(createViewStore(createLocalStore(open)).store.getState().theme).toBe('system')
  })
})

describe('route store', () => {
  const ROOT = 'https://lab.example/some/where/'

  /** A window at an address under ROOT, with what was written into its address bar. */
  const fakePage = (address: string) => {
    const location = { href: new URL(address, ROOT).href }
    const written: string[] = []
    const listeners = new Map<string, ((event: MouseEvent) => void)[]>()
    const listen = (type: string, listener: (event: MouseEvent) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), listener])
    const write = (verb: string) => (_data: unknown, _unused: string, url: string) => {
      location.href = url
      written.push(`${verb} ${url.replace(ROOT, '')}`)
    }
    return {
      written,
      location,
      history: { pushState: write('push'), replaceState: write('replace') },
      document: { baseURI: ROOT, addEventListener: listen },
      addEventListener: listen as (type: string, listener: () => void) => void,
      hear: (type: string, event: Partial<MouseEvent> = {}) => {
        for (const listener of listeners.get(type) ?? []) listener(event as MouseEvent)
      },
    }
  }
  /** A press on a link; true where the page followed it by itself. */
  const press = (
    page: ReturnType<typeof fakePage>,
    link: { href: string; target?: string },
    keys: Partial<MouseEvent> = {},
  ) => {
    let followed = false
    const anchor = { target: '', hasAttribute: () => false, ...link }
    page.hear('click', {
      button: 0,
      target: { closest: () => anchor } as unknown as EventTarget,
      preventDefault: () => (followed = true),
      ...keys,
    })
    return followed
  }

  it('reads the address, and follows it', () => {
    const page = fakePage('device/')
    const { store } = createRouteStore(page)
    expect(store.getState().route).toEqual({ page: 'device' })
    page.location.href = `${ROOT}run/x/#?steps=4`
    page.hear('popstate')
    expect(store.getState().route).toEqual({ page: 'run', id: 'x', query: { steps: '4' } })
    expect(page.written).toEqual([])
  })

  it('writes an address with its slash, without a step in the history', () => {
    const page = fakePage('lessons/a#see?rings=1,2')
    const { store } = createRouteStore(page)
    expect(store.getState().route).toEqual(lessonRoute('a', 'see', '', { rings: '1,2' }))
    expect(page.written).toEqual(['replace lessons/a/#see?rings=1,2'])
    page.location.href = `${ROOT}device`
    page.hear('hashchange')
    expect(store.getState().route).toEqual({ page: 'device' })
    expect(page.written.at(-1)).toBe('replace device/')
  })

  it('replaces without a step in the history, and goes with one', () => {
    const page = fakePage('')
    const routes = createRouteStore(page)
    routes.replace(lessonRoute('a', '', '', { rings: '1,2' }))
    routes.go(lessonRoute('b'))
    routes.go(lessonRoute('b'))
    expect(page.written).toEqual(['replace lessons/a/#?rings=1,2', 'push lessons/b/', 'replace lessons/b/'])
    expect(routes.store.getState().route).toMatchObject({ id: 'b' })
  })

  it('follows links to its own pages, and no others', () => {
    const page = fakePage('')
    const { store } = createRouteStore(page)
    expect(press(page, { href: `${ROOT}lessons/a/#why` })).toBe(true)
    expect(store.getState().route).toEqual(lessonRoute('a', 'why'))
    for (const href of [
      'https://elsewhere.example/some/where/lessons/a/',
      'https://lab.example/lessons/a/',
      `${ROOT}licences.txt`,
    ])
      expect(press(page, { href }), href).toBe(false)
    expect(press(page, { href: `${ROOT}device/`, target: '_blank' })).toBe(false)
    expect(press(page, { href: `${ROOT}device/` }, { ctrlKey: true })).toBe(false)
    expect(press(page, { href: `${ROOT}device/` }, { defaultPrevented: true })).toBe(false)
    expect(store.getState().route).toEqual(lessonRoute('a', 'why'))
  })
})

describe('device store', () => {
  it('asks once what the device is, and measures only on request', async () => {
    const client = createFakeClient()
    const device = createDeviceStore(() => Promise.resolve(client))
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
    const device = createDeviceStore(() => Promise.resolve(createFakeClient()))
    device.adopt(fakeEnvironment({ completionLatencyMs: 3 }))
    await device.describe()
    expect(device.store.getState().environment?.completionLatencyMs).toBe(3)
  })

  it('says why there is none, and asks anew when told to', async () => {
    const client = createFakeClient()
    client.answer = { code: 'no-webgpu', message: 'navigator.gpu is missing' }
    const device = createDeviceStore(() => Promise.resolve(client))
    await device.describe()
    expect(device.store.getState()).toMatchObject({ phase: 'unavailable', fault: { code: 'no-webgpu' } })
    client.answer = fakeEnvironment()
    await device.describe()
    expect(device.store.getState()).toMatchObject({ phase: 'known', fault: null })
  })

  it('notes a loss, and forgets it with the next device', async () => {
    const client = createFakeClient()
    const device = createDeviceStore(() => Promise.resolve(client))
    await device.describe()
    client.destroyDevice()
    await vi.waitFor(() => expect(device.store.getState().lost?.code).toBe('device-lost'))
    await device.measure()
    expect(device.store.getState().lost).toBeNull()
  })
})
