/** The service worker's entry: its events, and who answers them. Built by vite/write-offline.ts into sw.js, which knows its build. */
import type { Build, OfflineRequest, OfflineStatus } from './protocol'
import { createServing } from './serving'

/** Members of ServiceWorkerGlobalScope and its events used here; lib.webworker clashes with lib.dom in one program. */
interface Happening extends MessageEvent<OfflineRequest> {
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly request: Request
  readonly preloadResponse?: Promise<Response | undefined>
  readonly respondWith: (answer: Promise<Response>) => void
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: (options: object) => Promise<readonly Pick<MessagePort, 'postMessage'>[]>
  }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: (
    type: 'install' | 'activate' | 'fetch' | 'message',
    listener: (event: Happening) => void,
  ) => void
}
declare const OFFLINE_BUILD: Build

/** Once: the text stands wherever it is named. */
const build = OFFLINE_BUILD
const scope = globalThis as unknown as Scope
const tabs = () => scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
const serving = createServing({
  scope: scope.registration.scope,
  build,
  caches,
  fetch: (request, options) => fetch(request, options),
  onUsed: (url) => {
    tabs()
      .then((all) => {
        for (const tab of all) tab.postMessage(url)
      })
      .catch(reportError)
  },
})

// At once: which version answers makes no difference to a tab (serving.ts), and the first page is isolated the sooner.
scope.addEventListener('install', (event) => {
  event.waitUntil(scope.skipWaiting())
})
scope.addEventListener('activate', (event) => {
  const start = async () => {
    // The host is asked for a page while the service worker starts.
    await (scope.registration as Partial<ServiceWorkerRegistration>).navigationPreload?.enable()
    await scope.clients.claim()
  }
  event.waitUntil(start())
})
scope.addEventListener('fetch', (event) => {
  const preloaded = event.preloadResponse
  const answer = serving.respond(event.request, preloaded)
  if (answer) event.respondWith(answer)
  // Else the browser says that what it has preloaded was not used.
  else if (preloaded) event.waitUntil(preloaded.catch(() => undefined))
})

let storing = new AbortController()
const answer = async (request: OfflineRequest): Promise<OfflineStatus | null> => {
  if (request.kind === 'pause') {
    storing.abort()
    return null
  }
  if (request.kind === 'status' || request.build !== build.id) return await serving.status()
  // Chromium forgets at times that it was asked for, where the one before was at work.
  await scope.skipWaiting()
  storing = new AbortController()
  const isAlone = (await tabs()).length === 1
  return await serving.store({ used: request.used, signal: storing.signal, isAlone })
}
scope.addEventListener('message', (event) => {
  event.waitUntil(answer(event.data).then((said) => event.ports[0]?.postMessage(said)))
})
