/**
 * Serves dist/ (or another folder, and its 404.html for what it has not) on this machine only, with
 * the headers that its `_headers` asks for, as a visitor's host does: the policy, and cross-origin
 * isolation (a host clock of 5 µs steps instead of 100 µs). For commands and tests.
 */
import { createReadStream, existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
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
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
/** Of a folder without `_headers`: pages of the benchmarks. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** A page of another name that resolves to this machine (DNS rebinding) is none of ours. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const nameOf = (/** @type {string | undefined} */ host) => host?.replace(/:\d+$/, '').toLowerCase() ?? ''

/**
 * The file that an address means: never one outside of the folder that is served.
 * @param {string} path of the URL, decoded
 * @param {string} base
 * @param {string} root
 * @returns {string | null} a file inside the root
 * @internal
 */
export function fileFor(path, base, root) {
  if (!path.startsWith(base)) return null
  const inside = normalize(join(root, path.slice(base.length)))
  if (inside !== root && !inside.startsWith(root + sep)) return null
  return path.endsWith('/') ? join(inside, 'index.html') : inside
}

/** @typedef {Readonly<Record<string, string>>} Headers by name, lower case */
/**
 * @typedef {(path: string) => Headers} HeadersOf of a file, by its path from the site's root on,
 * with its slash
 */

/**
 * `_headers` as its hosts read it: a path, which may end in `*`, and under it, indented, headers;
 * `! Name` takes back what an earlier rule set.
 * @param {string} text
 * @returns {HeadersOf}
 */
export function parseHeaders(text) {
  /** @type {{ path: string, lines: string[] }[]} */
  const rules = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const rule = rules.at(-1)
    if (!/^\s/.test(line)) rules.push({ path: line.trim(), lines: [] })
    else if (rule) rule.lines.push(line.trim())
    else throw new Error(`_headers: a header stands before any path: ${line.trim()}`)
  }
  return (path) => {
    /** @type {Map<string, string>} */
    const headers = new Map()
    for (const rule of rules) {
      const fits = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
      if (!fits) continue
      for (const line of rule.lines) {
        const removed = /^!\s*(.+)$/.exec(line)?.[1]
        const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
        const key = name.toLowerCase()
        if (removed !== undefined) headers.delete(removed.toLowerCase())
        else if (key === '') throw new Error(`_headers: not a header: ${line}`)
        // Two rules for one header: hosts join the values.
        else headers.set(key, [headers.get(key), value].filter((each) => each !== undefined).join(', '))
      }
    }
    return Object.fromEntries(headers)
  }
}

/**
 * @param {string} root a built site
 * @returns {Promise<HeadersOf | null>} null where it has no such file
 * @internal
 */
export async function headersIn(root) {
  try {
    return parseHeaders(await readFile(join(root, '_headers'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * @typedef {object} ServerOptions
 * @property {number} [port] tried first; 0 takes any free one
 * @property {boolean} [fallback] take any free port when that one is taken
 * @property {string} [base] the path that the folder is served under, with slashes at both ends
 * @property {string} [root] the folder, dist/ where left out
 * @property {readonly string[]} [hosts] names besides this machine's own to answer to, for tests of
 * a page that is not secure
 * @property {boolean} [isolated] false: none of those headers, as on a host that cannot send them
 */
/** @typedef {{ url: string, port: number, close: () => Promise<void> }} SiteServer */

/**
 * @param {ServerOptions} [options]
 * @returns {Promise<SiteServer>}
 */
export async function serveSite({
  port = 0,
  fallback = true,
  base = '/',
  isolated = true,
  hosts = [],
  root = DIST,
} = {}) {
  /** Read at each request: the folder may be built anew. */
  const headersOf = async (/** @type {string} */ path) => {
    if (!isolated) return {}
    const read = await headersIn(root)
    return read === null ? ISOLATION : read(`/${path.slice(base.length)}`)
  }
  const server = createServer((request, response) => {
    const answer = async () => {
      if (![...OWN_HOSTS, ...hosts].includes(nameOf(request.headers.host)))
        return response.writeHead(403, PLAIN).end('this server answers to localhost alone\n')
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return response.writeHead(405, { ...PLAIN, allow: 'GET, HEAD' }).end()
      const { pathname, search } = new URL(`http://localhost${request.url ?? '/'}`)
      const path = decodeURIComponent(pathname)
      const leadTo = (/** @type {string} */ other) =>
        response.writeHead(308, { ...PLAIN, location: encodeURI(other) + search }).end()
      // A page's relative addresses are counted by slashes, and a file system does not count them.
      if (path.includes('//')) return leadTo(path.replaceAll(/\/{2,}/g, '/'))
      const file = fileFor(path, base, root)
      const found = file === null ? null : await stat(file).catch(() => null)
      // As hosts do: a page's relative addresses are those of its folder.
      if (found?.isDirectory()) return leadTo(`${path}/`)
      const isFound = found?.isFile() === true
      const missing = join(root, '404.html')
      if (!isFound && !(path.startsWith(base) && existsSync(missing)))
        return response.writeHead(404, PLAIN).end('not found\n')
      const sent = isFound && file !== null ? file : missing
      response.writeHead(isFound ? 200 : 404, {
        'x-content-type-options': 'nosniff',
        ...(await headersOf(path)),
        'content-type': TYPES[extname(sent)] ?? 'application/octet-stream',
        ...(isFound && { 'content-length': found.size }),
        'cache-control': 'no-cache', // whatever the file says: the folder may be built anew
      })
      // A visitor who leaves in the middle of a file is no error of ours.
      return request.method === 'HEAD'
        ? response.end()
        : pipeline(createReadStream(sent), response, () => undefined)
    }
    // An address that cannot be read, most likely.
    answer().catch(() => (response.headersSent ? response.destroy() : response.writeHead(400, PLAIN).end()))
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
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
