/**
 * sw.js and the list of what is stored, from what was built. The list has the hash of every file as
 * it lies in the folder, so it is written when all else is; pages then get the build's name, which
 * is made of what they and all files are without it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Plugin } from 'vite'
import { parseHeaders } from '../cli/static-server.mjs'
import {
  addressOfFile,
  BUILD_TAG,
  manifestOf,
  SERVICE_WORKER,
  type Build,
  type StoredFile,
} from '../src/site/offline/site-files'
import { bundleModule } from './bundle-module'
import { recordingsVersion } from './recordings'

const ENTRY = join(import.meta.dirname, '..', 'src', 'site', 'offline', 'service-worker.ts')
const TAG = new RegExp(`(<meta name="${BUILD_TAG}" content=")[0-9a-f]*(")`)
const named = (html: string, id: string): string => html.replace(TAG, `$1${id}$2`)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes)

async function writeServiceWorker(folder: string, own: Build): Promise<void> {
  // Not every browser has modules as service workers.
  const script = await bundleModule(ENTRY, {
    format: 'iife',
    name: 'offline',
    define: { OFFLINE_BUILD: JSON.stringify(own) },
  })
  await writeFile(join(folder, SERVICE_WORKER), script)
}

/** The service worker of a site without one: it removes the one before, and itself. @internal */
export const writeRemoval = (folder: string): Promise<void> =>
  writeServiceWorker(folder, { id: '', workerPolicies: {} })

/** Into a built site; again, where it was changed. @internal */
export async function writeOffline(folder: string): Promise<void> {
  const version = recordingsVersion()
  const all = createHash('sha256')
  const contents = new Map<string, Buffer>()
  const files = (await readdir(folder, { recursive: true, encoding: 'utf8' }))
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.html') || (/[^/]\.[^/]*$/.test(file) && addressOfFile(file, version)))
  for (const file of files.sort()) {
    const bytes = await readFile(join(folder, file))
    contents.set(file, file.endsWith('.html') ? Buffer.from(named(bytes.toString('utf8'), '')) : bytes)
    all.update(`${file}\0`).update(contents.get(file) ?? '')
  }
  const id = all.digest('hex').slice(0, 16)
  const list: StoredFile[] = []
  for (const [file, unnamed] of contents) {
    const bytes = file.endsWith('.html') ? Buffer.from(named(unnamed.toString('utf8'), id)) : unnamed
    if (bytes !== unnamed) await writeFile(join(folder, file), bytes)
    const url = addressOfFile(file, version)
    const integrity = `sha256-${sha256(bytes).digest('base64')}`
    if (url !== null) list.push({ url, bytes: bytes.length, integrity })
  }
  await writeFile(join(folder, manifestOf(id)), JSON.stringify(list))
  // Of a worker's file in `_headers`, which is where the build has said it.
  const headersOf = parseHeaders(await readFile(join(folder, '_headers'), 'utf8'))
  const workerPolicies = Object.fromEntries(
    files.flatMap((file) => {
      const policy = file.endsWith('.js') && headersOf(`/${file}`)['content-security-policy']
      return typeof policy === 'string' ? [[file, policy] as const] : []
    }),
  )
  await writeServiceWorker(folder, { id, workerPolicies })
}

/** @param isWanted false: sw.js removes the one that an earlier build has installed */
export const offline = (isWanted: boolean): Plugin => ({
  name: 'offline',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir }) {
      if (dir === undefined) throw new Error('The site is built into no folder.')
      await (isWanted ? writeOffline : writeRemoval)(dir)
    },
  },
})
