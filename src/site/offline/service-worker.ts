/**
 * The service worker's entry: its events. Built by vite/offline.ts into sw.js, which knows its
 * build.
 */
import { createServing } from './serving'
import { cachePrefix, type Build, type Message } from './site-files'

/**
 * Members of ServiceWorkerGlobalScope and its events used here; lib.webworker clashes with lib.dom
 * in one program.
 */
interface WorkerEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly respondWith: (answer: Promise<Response>) => void
  readonly request: Request
  readonly preloadResponse?: Promise<Response | undefined>
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: () => Promise<readonly Pick<Worker, 'postMessage'>[]>
  }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: (
    type: 'install' | 'activate' | 'message' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ) => void
}
declare const OFFLINE_BUILD: Build

const scope = globalThis as unknown as Scope
const { id, workerPolicies } = OFFLINE_BUILD
const { registration } = scope

const send = async (message: Message) => {
  for (const page of await scope.clients.matchAll()) page.postMessage(message)
}

/**
 * LAB_NO_OFFLINE=1: the browser looks for a new service worker with every page, finds this, and is
 * rid of both.
 */
async function remove(): Promise<void> {
  const prefix = cachePrefix(registration.scope)
  for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name)
  await registration.unregister()
}
async function start(): Promise<void> {
  // The host is asked for a page while the service worker starts.
  await (registration as Partial<ServiceWorkerRegistration>).navigationPreload?.enable()
  await scope.clients.claim()
  await send({ build: id })
}

// At once: which version answers makes no difference to a tab (serving.ts), and the first page is
// isolated the sooner. Not waited for: the promise may resolve only once this one is active, and it
// becomes active only once it is installed.
scope.addEventListener('install', () => {
  scope.skipWaiting().catch(reportError)
})
scope.addEventListener('activate', (event) => event.waitUntil(id === '' ? remove() : start()))
if (id !== '') {
  scope.addEventListener('message', (event) =>
    event.waitUntil(Promise.all([scope.skipWaiting(), send({ build: id })])),
  )
  const respond = createServing({
    scope: registration.scope,
    workerPolicies,
    caches,
    fetch: (request) => fetch(request),
    onUse: (used) => {
      send({ used }).catch(reportError)
    },
  })
  scope.addEventListener('fetch', (event) => {
    const preloaded = event.preloadResponse
    const answer = respond(event.request, preloaded)
    if (answer) event.respondWith(answer)
    // Else the browser says that what it has preloaded was not used.
    else if (preloaded) event.waitUntil(preloaded.catch(() => undefined))
  })
}
