/** How the service worker answers a request, and with which headers. Pure. */

export type Answer =
  /** Not at all: the browser asks the host, as if there were no service worker. */
  | 'pass'
  /** A page: the host's of today; where it cannot be reached, the newest build that is stored whole. */
  | 'page'
  /** Its address changes with its content, so that whoever has it has the right one: stored first, then the host. */
  | 'by-content'
  /** The host; where it cannot be reached, what is stored. */
  | 'by-name'

/** The part of a Request that decides. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly mode: string
  /** It asks for a part of a file. */
  readonly hasRange: boolean
}

/** Speaks to a window of another site, which an isolated page may not; and what belongs to the service worker. */
const NEVER = /^(perfetto(\.html)?|sw\.js|build\.json|assets\/offline-[^/]*)$/

/** The path from the site's root; null outside of it. @param scope the site's root, with its slash */
export function pathIn(url: string, scope: string): string | null {
  const { origin, pathname } = new URL(url)
  const root = new URL(scope)
  return origin === root.origin && pathname.startsWith(root.pathname)
    ? pathname.slice(root.pathname.length)
    : null
}

export function answerTo({ method, url, mode, hasRange }: Asked, scope: string): Answer {
  const path = pathIn(url, scope)
  if (method !== 'GET' || hasRange || path === null || NEVER.test(path)) return 'pass'
  if (mode === 'navigate') return 'page'
  if (path.startsWith('assets/')) return 'by-content'
  return path.startsWith('recordings/') && new URL(url).searchParams.has('v') ? 'by-content' : 'by-name'
}

/** Addresses under which a page may be stored, the likeliest first: hosts serve a folder with and without its slash or `index.html`. */
export function pageUrls(path: string): readonly string[] {
  const page = path.replace(/(^|\/)index\.html$/, '$1')
  return page === '' || page.endsWith('/') ? [page] : [page, `${page}/`]
}

/** Cross-origin isolation: performance.now() then steps by 5 µs instead of 100 µs. The lab works without it, and says so. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** What no page of the lab asks for, and no page that it might be made to show may: by name, since all others would be warned of. */
export const PERMISSIONS = {
  'Permissions-Policy': [
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
} as const

/**
 * Headers that a document or a worker's script lacks: isolation, a page's permissions, a worker's policy. What the host sends stands. Null: it has all.
 * @param destination of the request (https://fetch.spec.whatwg.org/#concept-request-destination)
 * @param policy of the worker that the script starts
 */
export function missingHeaders(
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
