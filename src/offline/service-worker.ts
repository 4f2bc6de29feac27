/** The service worker's entry: its events, and who answers them. Built by vite/write-offline.ts into sw.js, which knows its build. */
import { createServing, roomIn } from './serving'
import { buildsIn, type OfflineRequest } from './protocol'
import type { Build } from './site-files'

/** Members of ServiceWorkerGlobalScope used here; lib.webworker clashes with lib.dom in one program. */
interface Waiting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface FetchEvent extends Waiting {
  readonly request: Request
  readonly preloadResponse?: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
}
interface Told extends Waiting {
  readonly data: OfflineRequest
  readonly ports: readonly MessagePort[]
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { readonly claim: () => Promise<void> }
  readonly skipWaiting: () => Promise<void>
  addEventListener: ((type: 'install' | 'activate', listener: (event: Waiting) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void) &
    ((type: 'message', listener: (event: Told) => void) => void)
}
declare const OFFLINE_BUILD: Build

const scope = globalThis as unknown as Scope
const serving = createServing({
  scope: scope.registration.scope,
  build: OFFLINE_BUILD,
  caches,
  fetch: (request, options) => fetch(request, options),
  room: () => roomIn(navigator),
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
const answer = async (request: OfflineRequest): Promise<unknown> => {
  switch (request.kind) {
    case 'take-over':
      await scope.skipWaiting()
      return null
    case 'status':
      return await serving.status()
    case 'store':
      storing = new AbortController()
      return await serving.store(request.mostBytes, storing.signal)
    case 'pause':
      storing.abort()
      return null
    case 'tidy': {
      const locks = (navigator as Partial<Navigator>).locks
      // Without them nobody knows which tabs are open: nothing is deleted, and the browser evicts when it must.
      if (!locks) return null
      await serving.tidy(buildsIn(await locks.query()))
      return null
    }
  }
}
scope.addEventListener('message', (event) => {
  const [port] = event.ports
  event.waitUntil(
    answer(event.data).then(
      (said) => port?.postMessage(said),
      // No list of files: the host cannot be reached, or has another build by now.
      () => port?.postMessage(null),
    ),
  )
})
