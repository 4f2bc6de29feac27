/** A build is stored by a page of it: bit by bit, and only while nothing is measured in any tab. */
import type { OfflineState } from '../state/offline-store'
import { isOnUse, SHELL, type StoredFile } from './site-files'

/**
 * Files stored between two looks whether something is measured: most of them are small, and their
 * time is the way there and back.
 */
const LANES = 8

export interface StoringParts {
  readonly root: string
  readonly files: readonly StoredFile[]
  readonly cache: Pick<Cache, 'keys' | 'put'>
  /** Of a file that is stored on use. @param url whole */
  readonly isWanted: (url: string) => boolean
  readonly fetch: (url: string, options: RequestInit) => Promise<Response>
  /** Bytes that the browser still has for this site; Infinity where it does not say. */
  readonly room: () => Promise<number>
  /**
   * Resolves when the page is idle and nothing is measured, with what ends the storing that
   * follows.
   */
  readonly quiet: () => Promise<AbortSignal>
  readonly show: (state: Partial<OfflineState>) => void
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)
const isFull = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'QuotaExceededError'

/**
 * Until all is stored, or it cannot be. What has been used meanwhile is stored too.
 * @returns whether the build is whole
 */
export async function storeAll(parts: StoringParts): Promise<boolean> {
  const { root, cache, isWanted, fetch, room, quiet, show } = parts
  // Each address is parsed once: all are asked for after every few files.
  const files = parts.files.map((file) => ({ ...file, at: new URL(file.url, root).href }))
  const has = new Set((await cache.keys()).map(({ url }) => url))
  const core = files.filter(({ url }) => !isOnUse(url))
  const shell = core.filter(({ url }) => url === SHELL)
  const later = files.filter(({ url }) => isOnUse(url))
  const isWhole = () => shell.every(({ at }) => has.has(at))
  const store = async (file: (typeof files)[number], signal: AbortSignal) => {
    const response = await fetch(file.at, {
      integrity: file.integrity,
      signal,
      // What has its content's name may come from the browser's own cache: the page has just loaded
      // it.
      cache: file.url.startsWith('assets/') ? 'default' : 'no-cache',
    })
    if (!response.ok) throw new Error(`${file.url}: ${String(response.status)}`)
    await cache.put(file.at, response)
    has.add(file.at)
  }
  for (;;) {
    const missing = [
      core.filter((file) => file.url !== SHELL && !has.has(file.at)),
      shell.filter((file) => !has.has(file.at)),
      later.filter((file) => !has.has(file.at) && isWanted(file.at)),
    ]
    show({
      phase: isWhole() ? 'ready' : 'storing',
      bytes: bytesOf(core),
      storedBytes: bytesOf(files.filter((file) => has.has(file.at))),
      allBytes: bytesOf(files),
    })
    const next = missing.find(({ length }) => length > 0)
    if (!next) return true
    const signal = await quiet()
    if ((await room()) < bytesOf(missing.flat())) {
      show({ phase: 'no-room' })
      return isWhole()
    }
    try {
      await Promise.all(next.slice(0, LANES).map((file) => store(file, signal)))
    } catch (thrown) {
      if (signal.aborted) continue
      if (isFull(thrown) || !isWhole()) show({ phase: isFull(thrown) ? 'no-room' : 'unreachable' })
      return isWhole()
    }
  }
}
