/** Headers that a host may not send, and that the service worker adds. Pure: build and service worker read it. */

/** Cross-origin isolation: performance.now() then steps by 5 µs instead of 100 µs. The lab works without it, and says so. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** What no page of the lab asks for, and no page that it might be made to show may: by name, since all others would be warned of. */
export const PERMISSIONS = {
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
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
