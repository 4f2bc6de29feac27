/**
 * Installs the service worker, isolates the page on a host that sends no headers, has the build stored while nothing is measured, and says when
 * the host has another. Loaded after the first page, or before it where the page has yet to be isolated.
 */
import type { OfflineStore } from '../state/offline-store'
import { MEASURING_LOCK } from '../worker/measuring-lock'
import { BUILD_TAG, SERVICE_WORKER, type OfflineRequest, type OfflineStatus } from './protocol'

/** How often a page that waits for the end of a measurement looks. */
const LOOK_EVERY_MS = 1000
const RELOADED = 'host-device-lab:reloaded-to-isolate'

type Maybe<T> = T | undefined
const browser = navigator as Omit<Navigator, 'serviceWorker' | 'locks' | 'userActivation'> & {
  readonly serviceWorker: Maybe<ServiceWorkerContainer>
  readonly locks: Maybe<LockManager>
  readonly connection: Maybe<{ readonly saveData?: boolean }>
  readonly userActivation: Maybe<UserActivation>
}

let hadInput = false
for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(type, () => (hadInput = true), { once: true, passive: true, capture: true })

/** Once a tab, and never what was touched: a reload would take that away. @returns whether the page goes away now */
function reloadToIsolate(): boolean {
  if (crossOriginIsolated || hadInput || browser.userActivation?.hasBeenActive) return false
  try {
    if (sessionStorage.getItem(RELOADED) !== null) return false
    sessionStorage.setItem(RELOADED, '1')
  } catch {
    return false // no storage: nothing would end a second reload, and a third
  }
  location.reload()
  return true
}

const wait = (ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
/** No run and no grading in any tab of the site: they hold a lock. */
async function isMeasuring(): Promise<boolean> {
  const held = (await browser.locks?.query())?.held ?? []
  return held.some(({ name }) => name === MEASURING_LOCK)
}
/** @param isRunning a run of this tab that may not hold its lock yet */
async function quiet(isRunning: () => boolean): Promise<void> {
  // Safari has no such thing, and Chromium does not come to it while nothing is drawn.
  if ('requestIdleCallback' in globalThis)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: LOOK_EVERY_MS }))
  else await wait(200)
  while (document.readyState !== 'complete' || isRunning() || (await isMeasuring())) await wait(LOOK_EVERY_MS)
}

/** Whatever of it the browser refuses, the page goes on without. */
export async function startOffline({ store: shown, onKeep }: OfflineStore): Promise<void> {
  const root = new URL('.', document.baseURI).href
  const build = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_TAG}"]`)?.content ?? ''
  const container = browser.serviceWorker
  // Within a page of another site nothing is stored for it.
  if (!container || window.top !== window) return
  if (build === '') {
    // What an earlier build has left finds the one that removes it (removal.ts).
    await (await container.getRegistration(root).catch(() => undefined))?.update()
    return
  }
  const registration = await container
    .register(new URL(SERVICE_WORKER, root), { scope: root, updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return
  await container.ready
  if (reloadToIsolate()) return

  const send = (request: OfflineRequest, ports: Transferable[] = []) =>
    // One that waits stores too.
    (registration.waiting ?? registration.active)?.postMessage(request, ports)
  const ask = (request: OfflineRequest): Promise<OfflineStatus> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }: MessageEvent<OfflineStatus>) => {
        port1.close()
        resolve(data)
      }
      send(request, [port2])
    })
  const used = new Set<string>()
  const noteUsed = () => {
    for (const { name } of performance.getEntriesByType('resource'))
      if (name.startsWith(root)) used.add(name.slice(root.length))
  }
  /** The visitor's line may be paid for by the byte. */
  let isAllowed = browser.connection?.saveData !== true
  let isAll = false
  /** Another service worker has come since the page was opened. */
  let isReplaced = false
  let turn = 0
  const isRunning = () => shown.getState().isRunning

  /** Until all is stored, or it cannot be, or it begins anew: a service worker that is replaced never answers. */
  const look = async () => {
    const mine = ++turn
    for (;;) {
      await quiet(isRunning)
      if (mine !== turn) return
      noteUsed()
      const status = await ask(
        isAllowed ? { kind: 'store', build, used: isAll ? 'all' : [...used] } : { kind: 'status' },
      )
      if (mine !== turn) return
      if (status.build !== build) {
        if (isReplaced) shown.setState({ isNewer: true })
        return
      }
      const { phase, bytes, storedBytes, onUseBytes, onUseStoredBytes } = status
      const wasAllowed = isAllowed
      isAllowed ||= phase === 'ready'
      shown.setState({
        phase: isAllowed ? phase : 'asks',
        bytes,
        storedBytes,
        onUseBytes,
        onUseStoredBytes,
      })
      if (isAllowed === wasAllowed && status.isDone) return
    }
  }
  const again = () => {
    look().catch(reportError)
  }
  const replaced = () => {
    isReplaced = true
    again()
  }
  onKeep(() => {
    isAll = isAllowed
    isAllowed = true
    again()
  })
  shown.subscribe((now, before) => {
    if (now.isRunning === before.isRunning) return
    if (now.isRunning) send({ kind: 'pause' })
    else again()
  })
  container.addEventListener('message', ({ data }: MessageEvent<string>) => {
    used.add(data)
    again()
  })
  container.addEventListener('controllerchange', replaced)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', replaced)
  })
  addEventListener('online', again)
  registration.update().catch(() => undefined)
  await look()
}
