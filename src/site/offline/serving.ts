/**
 * How the service worker answers, without its events. Nothing but pages has an address whose
 * content changes, so a tab gets all of its parts from whichever build has stored them, and
 * whatever the host has by then.
 */
import { type Build, cachePrefix, isOnUse, SHELL } from './site-files'

/**
 * Cross-origin isolation: performance.now() then steps by 5 µs instead of 100 µs. The lab works
 * without it, and says so.
 */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/**
 * What no page of the lab asks for, and no page that it might be made to show may: by name, since
 * all others would be warned of.
 */
export const PERMISSIONS = {
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
} as const

/**
 * Headers that a document or a worker's script lacks: isolation, a page's permissions, a worker's
 * policy. What the host sends stands. Null: it has all.
 * @param destination of the request (https://fetch.spec.whatwg.org/#concept-request-destination)
 * @param policy of the worker that the script starts
 */
function missingHeaders(
  sent: Headers,
  destination: string,
  policy: string | undefined,
): Readonly<Record<string, string>> | null {
  const isDocument = ['document', 'iframe'].includes(destination)
  if (!isDocument && destination !== 'worker') return null
  if (isDocument && !(sent.get('Content-Type') ?? '').startsWith('text/html')) return null
  const wanted = Object.entries({
    ...ISOLATION,
    ...(isDocument && PERMISSIONS),
    ...(!isDocument && policy !== undefined && { 'Content-Security-Policy': policy }),
  }).filter(([name]) => !sent.has(name))
  return wanted.length === 0 ? null : Object.fromEntries(wanted)
}

/**
 * A page is waited for this long where a stored one could stand in: a network that neither works
 * nor fails.
 */
const PATIENCE_MS = 4000

/**
 * What speaks to a window of another site, which an isolated page may not; and what belongs to the
 * service worker.
 */
const NEVER = /^((perfetto|open)(\.html)?|sw\.js|build\.json)$/
/** The address changes with the content, so that whoever has it has the right one. */
const BY_CONTENT = /^(assets\/|recordings\/.*\?v=)/

export interface ServingParts {
  /** The site's root, absolute, with its slash. */
  readonly scope: string
  readonly workerPolicies: Build['workerPolicies']
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'match'>
  readonly fetch: (request: Request) => Promise<Response>
  /** A file that is stored on use came from the host. */
  readonly onUse: (url: string) => void
  readonly after?: (run: () => void, ms: number) => unknown
}

/**
 * Null: the browser is to ask the host itself. `preloaded`: the host's answer, where the browser
 * has asked already.
 */
export type Respond = (
  request: Request,
  preloaded?: Promise<Response | undefined>,
) => Promise<Response> | null

export function createServing(parts: ServingParts): Respond {
  const { scope, workerPolicies, caches, fetch, onUse, after = setTimeout } = parts
  /** Of an address in the site, its path from the root. */
  const fileOf = (url: string) => url.slice(scope.length).replace(/[?#].*/, '')
  /**
   * Hosts vary by what a browser accepts, and what is stored is what this one accepted. A store
   * that cannot be read is as good as none.
   */
  const look = (url: string, ignoreSearch = false) =>
    caches.match(url, { ignoreVary: true, ignoreSearch }).catch(() => undefined)

  /** Of the build stored last that is whole, at home at any address. */
  const shell = async (): Promise<Response | undefined> => {
    for (const name of (await caches.keys()).reverse()) {
      if (!name.startsWith(cachePrefix(scope))) continue
      const stored = await (await caches.open(name)).match(new URL(SHELL, scope).href, { ignoreVary: true })
      if (!stored) continue
      const html = (await stored.text()).replace(
        /<base [^>]*>/,
        () => `<base href="${new URL(scope).pathname}" />`,
      )
      return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    }
    return undefined
  }
  const page = async (request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> => {
    const live = (async () => (await preloaded) ?? (await fetch(request)))()
    const usable = live.then(
      (response) => (response.status < 500 ? response : null),
      () => null,
    )
    const patience = new Promise<null>((resolve) => after(() => resolve(null), PATIENCE_MS))
    return (
      (await Promise.race([usable, patience])) ??
      (await look(request.url)) ??
      (await shell().catch(() => undefined)) ??
      (await live)
    )
  }
  const byContent = async (request: Request): Promise<Response> => {
    const stored = await look(request.url)
    if (stored) return stored
    const response = await fetch(request)
    if (response.ok && isOnUse(fileOf(request.url))) onUse(request.url)
    return response
  }
  const byName = async (request: Request): Promise<Response> => {
    const live = fetch(request)
    const response = await live.catch(() => null)
    if (response && response.status < 500) return response
    return (await look(request.url, true)) ?? (await live)
  }

  const completed = (response: Response, { destination, url }: Request): Response => {
    const { status, statusText, headers: sent } = response
    if (status < 200) return response // a redirect that the browser is to follow, or an error: neither can be made anew
    const missing = missingHeaders(sent, destination, workerPolicies[fileOf(url)])
    if (!missing) return response
    const headers = new Headers(sent)
    for (const [name, value] of Object.entries(missing)) headers.set(name, value)
    const body = [204, 205, 304].includes(status) ? null : response.body
    return new Response(body, { status, statusText, headers })
  }
  return (request, preloaded) => {
    const { method, url, mode, headers } = request
    if (method !== 'GET' || headers.has('Range') || !url.startsWith(scope) || NEVER.test(fileOf(url)))
      return null
    const answer =
      mode === 'navigate'
        ? page(request, preloaded)
        : BY_CONTENT.test(url.slice(scope.length))
          ? byContent(request)
          : byName(request)
    return answer.then((response) => completed(response, request))
  }
}
