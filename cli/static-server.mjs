/**
 * Serves dist/ (or another folder) on this machine only, with the headers of cross-origin isolation (a host clock of 5 µs steps instead of 100 µs).
 * For commands and tests; a visitor's host does this with public/_headers.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, extname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { DIST } from './build-site.mjs'

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** Speaks to a window of another site, which an isolated page may not: src/state/perfetto.ts. */
const NEVER_ISOLATED = 'perfetto.html'
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/**
 * @typedef {object} ServerOptions
 * @property {number} [port] tried first; 0 takes any free one
 * @property {boolean} [fallback] take any free port when that one is taken
 * @property {string} [base] the path that the folder is served under, with slashes at both ends
 * @property {string} [root] the folder, dist/ where left out
 * @property {boolean} [isolated] false: without the headers, as on a host that cannot send them
 */
/** @typedef {{ url: string, port: number, close: () => Promise<void> }} SiteServer */

/**
 * @param {string} path of the URL, decoded
 * @param {string} base
 * @param {string} [root]
 * @returns {string | null} a file inside the root
 */
export function fileFor(path, base, root = DIST) {
  if (!path.startsWith(base)) return null
  const inside = normalize(join(root, path.slice(base.length)))
  if (inside !== root && !inside.startsWith(root + sep)) return null
  return path.endsWith('/') ? join(inside, 'index.html') : inside
}

/**
 * @param {ServerOptions} [options]
 * @returns {Promise<SiteServer>}
 */
export async function serveSite({
  port = 0,
  fallback = true,
  base = '/',
  isolated = true,
  root = DIST,
} = {}) {
  const server = createServer((request, response) => {
    const answer = async () => {
      let path = '/'
      try {
        path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
      } catch {
        response.writeHead(400).end()
        return
      }
      const file = fileFor(path, base, root)
      const found = file === null ? null : await stat(file).catch(() => null)
      if (file === null || !found?.isFile()) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n')
        return
      }
      response.writeHead(200, {
        ...(isolated && basename(file) !== NEVER_ISOLATED ? ISOLATION : {}),
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-length': found.size,
        'cache-control': 'no-cache',
      })
      // A visitor who leaves in the middle of a file is no error of ours.
      pipeline(createReadStream(file), response, () => undefined)
    }
    answer().catch((/** @type {unknown} */ error) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  const listen = (/** @type {number} */ wanted) =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(wanted, 'localhost', () => {
        server.off('error', reject)
        resolve(undefined)
      })
    })
  try {
    await listen(port)
  } catch (error) {
    if (!fallback || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await listen(0)
  }
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return {
    // WebGPU needs a secure context; localhost is one.
    url: `http://localhost:${actual}${base}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
