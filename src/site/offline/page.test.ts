/** Files that a page stores and removes, in a made-up browser: 'Keep all', and earlier builds. */
import { afterEach, expect, it, vi } from 'vitest'
import { createOfflineStore } from '../state/offline-store'
import { manifestOf, SHELL, type StoredFile } from './site-files'

const ROOT = 'https://lab.test/some/where/'
const CACHE = 'host-device-lab /some/where/ '
const BUILD = 'bbbb'
const RECORDING = 'recordings/r.gz?v=1'
const files: readonly StoredFile[] = [SHELL, 'assets/one.js', RECORDING].map((url) => ({
  url,
  bytes: 1,
  integrity: '',
}))

afterEach(() => {
  vi.resetModules()
})

/**
 * @param kept by cache, what is stored of the site before
 * @param held locks of other tabs, which are not let go
 */
async function openPage({
  kept = {},
  held = [],
  saveData = false,
  scrolls = false,
}: {
  readonly kept?: Readonly<Record<string, readonly string[]>>
  readonly held?: readonly string[]
  readonly saveData?: boolean
  readonly scrolls?: boolean
}) {
  const bodyOf = (url: string) => Response.json(url.endsWith(manifestOf(BUILD)) ? files : null)
  const caches = new Map(Object.entries(kept).map(([name, urls]) => [CACHE + name, new Set(urls)]))
  const cacheOf = (name: string) => {
    const urls = caches.get(name) ?? new Set<string>()
    caches.set(name, urls)
    return {
      keys: () => Promise.resolve([...urls].map((url) => ({ url: ROOT + url }))),
      match: (url: string) => Promise.resolve(urls.has(url.slice(ROOT.length)) ? bodyOf(url) : undefined),
      put: (url: string) => Promise.resolve(void urls.add(url.slice(ROOT.length))),
    }
  }
  const locks = {
    query: () => Promise.resolve({ held: [] }),
    request: async (name: string, ...rest: readonly unknown[]) =>
      held.includes(name) ? await new Promise(() => undefined) : await (rest.at(-1) as () => unknown)(),
  }
  const registration = { update: () => Promise.resolve(), active: { postMessage: () => undefined } }
  vi.stubGlobal('navigator', {
    serviceWorker: {
      register: () => Promise.resolve(registration),
      ready: Promise.resolve(),
      addEventListener: () => undefined,
    },
    locks,
    connection: { saveData },
    storage: undefined,
  })
  vi.stubGlobal('document', {
    baseURI: ROOT,
    readyState: 'complete',
    querySelector: () => ({ content: BUILD }),
  })
  const window = {}
  vi.stubGlobal('window', Object.assign(window, { top: window }))
  vi.stubGlobal('crossOriginIsolated', true)
  vi.stubGlobal('addEventListener', (type: string, listen: () => void) => {
    if (scrolls && type === 'wheel') listen()
  })
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  vi.stubGlobal('BroadcastChannel', EventTarget)
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error
  })
  vi.stubGlobal('caches', {
    open: (name: string) => Promise.resolve(cacheOf(name)),
    keys: () => Promise.resolve([...caches.keys()]),
    has: (name: string) => Promise.resolve(caches.has(name)),
    delete: (name: string) => Promise.resolve(caches.delete(name)),
  })
  vi.stubGlobal(
    'fetch',
    vi.fn((url: string) => Promise.resolve(bodyOf(url))),
  )
  const { startOffline } = await import('./page')
  const offline = createOfflineStore()
  await startOffline(offline)
  const storedOf = (build: string) => [...(caches.get(CACHE + build) ?? [])]
  const names = () => [...caches.keys()].map((name) => name.slice(CACHE.length))
  return { offline, storedOf, names }
}
const CORE = [manifestOf(BUILD), 'assets/one.js', SHELL]

it('keeps what every lesson needs, and with ‘Keep all’ the rest', async () => {
  const { offline, storedOf } = await openPage({})
  await expect.poll(() => storedOf(BUILD)).toEqual(CORE)
  offline.keep()
  await expect.poll(() => storedOf(BUILD)).toEqual([...CORE, RECORDING])
})

it('keeps the rest of each build once that was asked for, and else what was used before', async () => {
  const asked = await openPage({ kept: { all: [] } })
  await expect.poll(() => asked.storedOf(BUILD)).toEqual([...CORE, RECORDING])
  vi.resetModules()
  const used = await openPage({ kept: { aaaa: [RECORDING] }, held: [`${CACHE}aaaa`] })
  await expect.poll(() => used.storedOf(BUILD)).toEqual([...CORE, RECORDING])
})

it('asks first where the browser is to save data', async () => {
  const { offline, storedOf } = await openPage({ saveData: true })
  await expect.poll(() => offline.store.getState().phase).toBe('asks')
  expect(storedOf(BUILD)).toEqual([manifestOf(BUILD)])
  offline.keep()
  await expect.poll(() => storedOf(BUILD)).toEqual([...CORE, RECORDING])
})

it('stores nothing while somebody scrolls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const opening = openPage({ scrolls: true })
  await vi.advanceTimersByTimeAsync(900)
  expect(fetch).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  const { storedOf } = await opening
  expect(fetch).toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(0)
  expect(storedOf(BUILD)).toEqual(CORE)
})

it('removes builds that no tab is of any more, when its own is whole', async () => {
  const { storedOf, names } = await openPage({
    kept: { all: [], aaaa: [SHELL], cccc: [SHELL] },
    held: [`${CACHE}cccc`],
  })
  await expect.poll(names).toEqual(['all', 'cccc', BUILD])
  expect(storedOf(BUILD)).toContain(SHELL)
})
