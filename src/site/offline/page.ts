/**
 * Installs the service worker, isolates the page on a host that sends no headers, stores the build
 * while nothing is measured, and says when the host has another. Loaded after the first page, or
 * before it where the page has yet to be isolated.
 */
import { MEASURING_LOCK } from '../../lab/measuring-lock'
import type { OfflineStore } from '../state/offline-store'
import { BUILD_TAG, cachePrefix, manifestOf, SERVICE_WORKER, SHELL } from './site-files'
import type { Message, StoredFile } from './site-files'
import { storeAll } from './storing'

/** How often a page that waits for the end of a measurement looks. */
const POLL_EVERY_MS = 1000
/** A page that is never idle stores all the same. */
const IDLE_LIMIT_MS = 2000
/** Somebody who points, scrolls or types waits for no file. */
const INPUTS = ['wheel', 'pointermove', 'keydown'] as const
const INPUT_QUIET_MS = 1000
const RELOADED = 'host-device-lab:reloaded-to-isolate'
/** Held by the tab that stores: no two fetch the same files. */
const STORING_LOCK = 'host-device-lab:storing'

type Maybe<T> = T | undefined
const browser = navigator as Omit<Navigator, 'serviceWorker' | 'locks' | 'storage'> & {
  readonly serviceWorker: Maybe<ServiceWorkerContainer>
  readonly locks: Maybe<LockManager>
  readonly connection: Maybe<{ readonly saveData?: boolean }>
  readonly storage: Maybe<Partial<StorageManager>> // WebKitGTK 2.50 has none, Safari before 17 no `estimate`
}

/**
 * Once a tab, and before a press or a key, which a reload would take away.
 * @returns whether the page goes away now
 */
function reloadToIsolate(): boolean {
  const { userActivation } = navigator as Partial<Navigator>
  if (crossOriginIsolated || userActivation?.hasBeenActive !== false) return false
  try {
    if (sessionStorage.getItem(RELOADED) !== null) return false
    sessionStorage.setItem(RELOADED, '1')
  } catch {
    return false // no storage: nothing would end a second reload, and a third
  }
  location.reload()
  return true
}

/** No run and no grading in any tab of the site: they hold a lock. */
async function isMeasuring(): Promise<boolean> {
  const held = (await browser.locks?.query())?.held ?? []
  return held.some(({ name }) => name === MEASURING_LOCK)
}

async function room(): Promise<number> {
  const { quota = Infinity, usage = 0 } = (await browser.storage?.estimate?.()) ?? {}
  return quota - usage
}

/** Whatever of it the browser refuses, the page goes on without. */
export async function startOffline({ store: shown, onKeep }: OfflineStore): Promise<void> {
  const root = new URL('.', document.baseURI).href
  // '' where the site has no service worker.
  const build = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_TAG}"]`)?.content ?? ''
  const container = browser.serviceWorker
  // Within a page of another site nothing is stored for it.
  if (!container || build === '' || window.top !== window) return
  const prefix = cachePrefix(root)
  const own = prefix + build
  /** An empty cache: the visitor has asked for all of it, of this build and those to come. */
  const all = `${prefix}all`
  // As long as this page lives, its build's files are kept.
  browser.locks?.request(own, { mode: 'shared' }, () => new Promise(() => undefined)).catch(() => undefined)
  const used = new Set<string>()
  const registration = await container
    .register(new URL(SERVICE_WORKER, root), { scope: root, updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return
  await container.ready
  if (reloadToIsolate()) return

  let ending = new AbortController()
  const runs = new BroadcastChannel(`${prefix}run`)
  const end = () => ending.abort()
  runs.addEventListener('message', end)
  let inputMs = -Infinity
  for (const type of INPUTS)
    addEventListener(type, () => (inputMs = performance.now()), { capture: true, passive: true })
  const isBusy = () =>
    document.readyState !== 'complete' ||
    performance.now() - inputMs < INPUT_QUIET_MS ||
    shown.getState().isBusy // it may not hold its lock yet
  const quiet = async (): Promise<AbortSignal> => {
    if (isBusy() || (await isMeasuring())) {
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
      return await quiet()
    }
    await new Promise<unknown>((resolve) => {
      // Safari has no such thing.
      if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: IDLE_LIMIT_MS })
      else setTimeout(resolve, 200)
    })
    ending = new AbortController()
    return ending.signal
  }
  const readFiles = async (cache: Cache): Promise<readonly StoredFile[]> => {
    const url = new URL(manifestOf(build), root).href
    const kept = await cache.match(url, { ignoreVary: true })
    const sent = kept ?? (await fetch(url))
    if (!sent.ok) throw new Error(`The list of files is not there: ${String(sent.status)}`)
    if (!kept) await cache.put(url, sent.clone())
    return (await sent.json()) as readonly StoredFile[]
  }
  /** Of builds that no tab is of any more: each page holds the lock of its build. */
  const awaited = new Set([own, all])
  const tidy = async (locks: LockManager) => {
    for (const name of await caches.keys()) {
      if (!name.startsWith(prefix) || awaited.has(name)) continue
      awaited.add(name)
      locks.request(name, () => caches.delete(name)).catch(reportError)
    }
  }
  let isAsked = false
  /** The host has been asked for a newer service worker. */
  let isKnown = false
  const store = async () => {
    await quiet()
    const cache = await caches.open(own)
    const files = await readFiles(cache).catch(() => null)
    if (!files) {
      shown.setState({ phase: 'unreachable' })
      return
    }
    if (isAsked) await caches.open(all)
    const wantsAll = await caches.has(all)
    const isWhole = (await cache.match(new URL(SHELL, root).href, { ignoreVary: true })) !== undefined
    // The visitor's line may be paid for by the byte.
    if (!wantsAll && !isWhole && browser.connection?.saveData === true) {
      shown.setState({ phase: 'asks', allBytes: files.reduce((sum, { bytes }) => sum + bytes, 0) })
      return
    }
    // What this page had used before the service worker came, and what an earlier build has stored.
    for (const { name } of performance.getEntriesByType('resource')) used.add(name)
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== own)
        for (const { url } of await (await caches.open(name)).keys()) used.add(url)
    const isWanted = (url: string) => wantsAll || used.has(url)
    const show = shown.setState
    const whole = await storeAll({
      root,
      files,
      cache,
      isWanted,
      fetch: (...all) => fetch(...all),
      room,
      quiet,
      show,
    })
    // The newest says of which build it is. One that waits although it asked not to is asked again:
    // Chromium forgets that at times.
    if (isKnown && !registration.installing) (registration.waiting ?? registration.active)?.postMessage(null)
    // A tab of an older build would wait for those of the newest.
    if (whole && browser.locks && !shown.getState().isNewer) await tidy(browser.locks)
  }
  function again(): void {
    const { locks } = browser
    ;(locks ? locks.request(STORING_LOCK, store) : store()).catch(reportError)
  }
  onKeep(() => {
    isAsked = true
    again()
  })
  shown.subscribe(({ isBusy: isNow }, before) => {
    if (!isNow || before.isBusy) return
    end()
    runs.postMessage(null)
  })
  container.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.build !== undefined) shown.setState({ isNewer: data.build !== build })
    if (data.used === undefined || used.has(data.used)) return
    used.add(data.used)
    again()
  })
  addEventListener('online', again)
  await quiet()
  isKnown = await registration.update().then(
    () => true,
    () => false,
  )
  again()
}
