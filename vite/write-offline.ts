/** sw.js, from what was built. It names the build after all files, so it is written when all else is; pages then get that name. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { parseHeaders } from '../cli/headers-file.mjs'
import {
  BUILD_TAG,
  RELATIVE_BASE,
  SERVICE_WORKER,
  type Build,
  type StoredFiles,
} from '../src/offline/protocol'
import { MOST_FIRST_BYTES, ON_USE, storedAs } from '../src/offline/site-files'
import { recordingsVersion } from './recordings'

const SOURCE = join(import.meta.dirname, '..', 'src', 'offline')
const TAG = new RegExp(`(<meta name="${BUILD_TAG}" content=")[0-9a-f]*(")`)
const named = (html: string, id: string): string => html.replace(TAG, `$1${id}$2`)

async function script(entry: string, define: Readonly<Record<string, string>>): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { ...define },
    build: {
      write: false,
      target: 'es2023',
      // Not every browser has modules as service workers.
      lib: { entry: join(SOURCE, entry), formats: ['iife'], name: 'offline' },
    },
  })
  const chunk = [output]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .find(({ type }) => type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error(`Vite built nothing of ${entry}.`)
  return chunk.code
}

/** Of a worker's file in `_headers`, which is where the build has said it. */
async function workerPolicies(folder: string, files: readonly string[]): Promise<Build['workerPolicies']> {
  const headersOf = parseHeaders(await readFile(join(folder, '_headers'), 'utf8'))
  return Object.fromEntries(
    files
      .filter((file) => /^assets\/.*\.js$/.test(file))
      .flatMap((file) => {
        const policy = headersOf(`/${file}`)['content-security-policy']
        return policy === undefined ? [] : [[file, policy] as const]
      }),
  )
}

/** The home page without its words: what the program then draws is its address's. The service worker says where the site's root is. */
function shellOf(home: string): string {
  const DRAWN = /(<div id="root">)[\s\S]*(<\/div>)<script>[\s\S]*?<\/script>/
  if (!DRAWN.test(home) || !home.includes(RELATIVE_BASE))
    throw new Error('The home page is not what the shell is made from.')
  return home.replace(DRAWN, '$1$2')
}

/** Into a built site; again, where it was changed. */
export async function writeOffline(folder: string): Promise<void> {
  const version = recordingsVersion()
  const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.html') || storedAs(path, version, '') !== null)
    .sort()
  const contents = new Map<string, Buffer>()
  const all = createHash('sha256')
  for (const path of found) {
    const bytes = await readFile(join(folder, path))
    contents.set(path, bytes)
    // The build's name is of what the pages are without it.
    all.update(`${path}\0`).update(path.endsWith('.html') ? named(bytes.toString('utf8'), '') : bytes)
  }
  const id = all.digest('hex').slice(0, 16)

  let shell: string | null = null
  const first: Record<string, StoredFiles[string]> = {}
  const onUse: Record<string, StoredFiles[string]> = {}
  let firstBytes = 0
  for (const [path, bytes] of contents) {
    if (path.endsWith('.html')) {
      const page = named(bytes.toString('utf8'), id)
      if (path === 'index.html' && TAG.test(page)) shell = shellOf(page)
      await writeFile(join(folder, path), page)
      continue
    }
    const stored = storedAs(path, version, id)
    if (!stored) continue
    const integrity = `sha256-${createHash('sha256').update(bytes).digest('base64')}`
    ;(stored.isOnUse ? onUse : first)[stored.url] = { bytes: bytes.length, integrity }
    if (!stored.isOnUse) firstBytes += gzipSync(bytes).length
  }
  if (shell === null)
    throw new Error(`The home page has no <meta name="${BUILD_TAG}">, where the build's name is to stand.`)
  firstBytes += gzipSync(shell).length
  if (firstBytes > MOST_FIRST_BYTES)
    throw new Error(
      `${String(firstBytes)} bytes, gzipped, would be stored at first; ${String(MOST_FIRST_BYTES)} may be.`,
    )
  for (const pattern of ON_USE)
    if (!found.some((path) => pattern.test(path)))
      throw new Error(`No file is ${String(pattern)}: what is it called now (src/offline/site-files.ts)?`)

  const own: Build = { id, shell, first, onUse, workerPolicies: await workerPolicies(folder, found) }
  await writeFile(
    join(folder, SERVICE_WORKER),
    await script('service-worker.ts', { OFFLINE_BUILD: JSON.stringify(own) }),
  )
}

export async function writeRemoval(folder: string): Promise<void> {
  await writeFile(join(folder, SERVICE_WORKER), await script('removal.ts', {}))
}
