/**
 * sw.js and the list of what it stores, from what was built. The list has the hash of every file as it lies in the folder, so it is written
 * when all else is; pages then get the build's name, which the list's hashes of them include.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { build } from 'vite'
import { parseHeaders } from '../cli/headers-file.mjs'
import {
  addressOfFile,
  BUILD_TAG,
  SERVICE_WORKER,
  type Build,
  type SiteFiles,
  type StoredFile,
} from '../src/offline/site-files'
import { recordingsVersion } from './recordings'

const SOURCE = join(import.meta.dirname, '..', 'src', 'offline')
const TAG = new RegExp(`(<meta name="${BUILD_TAG}" content=")[0-9a-f]*(")`)
const named = (html: string, id: string): string => html.replace(TAG, `$1${id}$2`)
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes)
const integrityOf = (bytes: Buffer): string => `sha256-${sha256(bytes).digest('base64')}`

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

/** Into a built site; again, where it was changed. */
export async function writeOffline(folder: string): Promise<void> {
  const version = recordingsVersion()
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort()
  const contents = new Map<string, Buffer>()
  for (const file of files) {
    if (!addressOfFile(file, version)) continue
    const bytes = await readFile(join(folder, file))
    // The build's name is of what the pages are without it.
    contents.set(file, file.endsWith('.html') ? Buffer.from(named(bytes.toString('utf8'), '')) : bytes)
  }
  const all = createHash('sha256')
  for (const [file, bytes] of contents) all.update(`${file}\0`).update(bytes)
  const id = all.digest('hex').slice(0, 16)
  const pages = [...contents].filter(
    ([file, bytes]) => file.endsWith('.html') && TAG.test(bytes.toString('utf8')),
  )
  if (pages.length === 0)
    throw new Error(`No page has <meta name="${BUILD_TAG}">, where the build's name is to stand.`)
  for (const [file, bytes] of pages) {
    const page = Buffer.from(named(bytes.toString('utf8'), id))
    contents.set(file, page)
    await writeFile(join(folder, file), page)
  }

  const list: SiteFiles = {
    id,
    files: [...contents].flatMap(([file, bytes]): StoredFile[] => {
      const address = addressOfFile(file, version)
      return address ? [{ ...address, bytes: bytes.length, integrity: integrityOf(bytes) }] : []
    }),
  }
  const text = Buffer.from(JSON.stringify(list))
  const name = `assets/offline-${id}.json`
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
  const own: Build = {
    id,
    list: name,
    integrity: integrityOf(text),
    workerPolicies: await workerPolicies(folder, [...contents.keys()]),
  }
  await writeFile(
    join(folder, SERVICE_WORKER),
    await script('service-worker.ts', { OFFLINE_BUILD: JSON.stringify(own) }),
  )
}

export async function writeRemoval(folder: string): Promise<void> {
  await writeFile(join(folder, SERVICE_WORKER), await script('removal.ts', {}))
}
