/**
 * Installs the service worker, isolates the page on a host that sends no headers, has the build stored while nothing is measured, and says when
 * the host has another. Loaded after the first page, or before it where the page has yet to be isolated.
 */
import { MEASURING_LOCK } from '../worker/measuring-lock'
import type { OfflineState, OfflineStore } from '../state/offline-store'
import { buildLock, buildsIn, type OfflineRequest, type OfflineStatus } from './protocol'
import { cachePrefix } from './serving'
import { BUILD_TAG, SERVICE_WORKER } from './site-files'
import { mayReload, storeAll } from './storing'

/** A batch on a slow network; then another visit goes on. */
const ANSWER_LIMIT_MS = 120_000
/** How often a page that waits for the end of a measurement looks. */
const LOOK_EVERY_MS = 1000
/** A tab that is come back to asks the host for a newer version, at most this often. */
const UPDATE_EVERY_MS = 3600e3
const RELOADED = 'host-device-lab:reloaded-to-isolate'

type Maybe<T> = T | undefined
const browser = navigator as Omit<Navigator, 'serviceWorker' | 'locks'> & {
  readonly serviceWorker: Maybe<ServiceWorkerContainer>
  readonly locks: Maybe<LockManager>
  readonly connection: Maybe<{ readonly saveData?: boolean }>
}

const input = { had: false }
for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(
    type,
    () => {
      input.had = true
    },
    { once: true, passive: true, capture: true },
  )
const hadInput = (): boolean =>
  input.had || (navigator as Partial<Navigator>).userActivation?.hasBeenActive === true

/** @returns whether the page goes away now */
function reloadToIsolate(): boolean {
  try {
    const wasReloaded = sessionStorage.getItem(RELOADED) !== null
    const isTop = window.top === window
    if (!mayReload({ isIsolated: crossOriginIsolated, isTop, hadInput: hadInput(), wasReloaded }))
      return false
    sessionStorage.setItem(RELOADED, '1')
  } catch {
    return false // no storage: nothing would end a second reload, and a third
  }
  location.reload()
  return true
}

/** What an earlier build has left. */
async function remove(container: ServiceWorkerContainer, root: string): Promise<void> {
  const registration = await container.getRegistration(root)
  if (registration?.scope !== root) return
  await registration.unregister()
  const prefix = cachePrefix(root)
  for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name)
}

/** One that waits can store its build too: Chromium may hold it back for minutes, while the one before it is at work. */
const newest = ({ waiting, active }: ServiceWorkerRegistration): ServiceWorker | null => waiting ?? active

/** A version that is replaced answers nothing any more: the one in its place is asked again. */
const asker =
  (registration: ServiceWorkerRegistration, container: ServiceWorkerContainer) =>
  (request: OfflineRequest): Promise<OfflineStatus | null> =>
    new Promise((resolve) => {
      const post = () => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }: MessageEvent<OfflineStatus | null>) => {
          port1.close()
          end(data)
        }
        newest(registration)?.postMessage(request, [port2])
      }
      const end = (answer: OfflineStatus | null) => {
        clearTimeout(limit)
        container.removeEventListener('controllerchange', post)
        resolve(answer)
      }
      const limit = setTimeout(end, ANSWER_LIMIT_MS, null)
      container.addEventListener('controllerchange', post)
      post()
    })

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    // Safari has no such thing.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve, 200)
  })
const loaded = (): Promise<unknown> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => {
        addEventListener('load', resolve, { once: true })
      })

/** No run and no grading in any tab of the site: they hold a lock. */
async function isMeasuring(): Promise<boolean> {
  const held = (await browser.locks?.query())?.held ?? []
  return held.some(({ name }) => name === MEASURING_LOCK)
}
/** @param isRunning a run of this tab that may not hold its lock yet */
async function quiet(isRunning: () => boolean): Promise<void> {
  await loaded()
  while (isRunning() || (await isMeasuring()))
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS)
    })
  await idle()
}

/** Resolves when the newest version is installed. Rejects where the host cannot be asked. */
async function updated(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.update()
  const coming = registration.installing
  if (coming)
    await new Promise<void>((resolve) => {
      const look = () => {
        if (coming.state !== 'installing') resolve()
      }
      coming.addEventListener('statechange', look)
      look()
    })
  registration.waiting?.postMessage({ kind: 'take-over' } satisfies OfflineRequest)
}

/** Whatever of it the browser refuses, the page goes on without. */
export async function startOffline({ store: shown, onKeep }: OfflineStore): Promise<void> {
  const root = new URL('.', document.baseURI).href
  // '' where the site has no service worker.
  const build = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_TAG}"]`)?.content ?? ''
  const show = (state: Partial<OfflineState>) => {
    shown.setState(state)
  }
  const container = browser.serviceWorker
  // Within a page of another site nothing is stored for it.
  if (!container || window.top !== window) return
  if (build === '') {
    await remove(container, root).catch(() => undefined) // site data are blocked: then there is nothing either
    return
  }
  // As long as this page lives, its build's files are kept.
  browser.locks
    ?.request(buildLock(build), { mode: 'shared' }, () => new Promise(() => undefined))
    .catch(() => undefined)
  const registration = await container
    .register(new URL(SERVICE_WORKER, root), { scope: root, updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return
  await container.ready
  if (reloadToIsolate()) return

  const ask = asker(registration, container)
  const isRunning = () => shown.getState().isRunning
  /** Builds whose last tab this page waits for. The page that a reload has replaced may hold its lock for a while yet. */
  const awaited = new Set([build])
  const tidy = async () => {
    await ask({ kind: 'tidy' })
    // One of an older build would wait for a tab of the newest.
    if (!browser.locks || shown.getState().isNewer) return
    for (const other of buildsIn(await browser.locks.query())) {
      if (awaited.has(other)) continue
      awaited.add(other)
      browser.locks
        .request(buildLock(other), () => awaited.delete(other))
        .then(tidy)
        .catch(reportError)
    }
  }
  let isStoring = false
  const store = async () => {
    if (isStoring) return
    isStoring = true
    try {
      await storeAll({ ask, quiet: () => quiet(isRunning), show })
      await tidy()
    } finally {
      isStoring = false
    }
  }
  /** The visitor's line may be paid for by the byte. */
  let isAllowed = false
  let lookedAt = 0
  const look = async () => {
    lookedAt = Date.now()
    const isKnown = await updated(registration).then(
      () => true,
      () => false,
    )
    const status = await ask({ kind: 'status' })
    if (!status) return
    const { bytes, storedBytes, isWhole } = status
    if (isKnown) show({ isNewer: status.build !== build })
    isAllowed ||= isWhole || browser.connection?.saveData !== true
    if (isAllowed) await store()
    else show({ phase: 'asks', bytes, storedBytes })
  }
  const again = () => {
    look().catch(reportError)
  }
  onKeep(() => {
    isAllowed = true
    show({ phase: 'storing' })
    store().catch(reportError)
  })
  shown.subscribe((now, before) => {
    if (now.isRunning === before.isRunning) return
    if (now.isRunning) newest(registration)?.postMessage({ kind: 'pause' } satisfies OfflineRequest)
    // It may have used what is stored on use only.
    else if (isAllowed) store().catch(reportError)
  })
  container.addEventListener('controllerchange', again)
  registration.addEventListener('updatefound', again)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - lookedAt > UPDATE_EVERY_MS) again()
  })
  await quiet(isRunning)
  await look()
}
