/**
 * What sw.js is in a build without a service worker (LAB_NO_OFFLINE=1): the browser looks for a new one with every page, finds this, and is
 * rid of both. It answers nothing meanwhile.
 */
import { cachePrefix } from './serving'

interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly skipWaiting: () => Promise<void>
  addEventListener: (
    type: 'install' | 'activate',
    listener: (event: { readonly waitUntil: (work: Promise<unknown>) => void }) => void,
  ) => void
}
const scope = globalThis as unknown as Scope

scope.addEventListener('install', (event) => {
  event.waitUntil(scope.skipWaiting())
})
scope.addEventListener('activate', (event) => {
  const remove = async () => {
    const prefix = cachePrefix(scope.registration.scope)
    for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name)
    await scope.registration.unregister()
  }
  event.waitUntil(remove())
})
