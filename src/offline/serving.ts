/**
 * The service worker's work, without its events. Each build has a cache of its own, filled bit by bit when a page says that it may be; every
 * file is checked against the build's list before it is stored. Nothing but pages has an address whose content changes, so a tab gets all
 * of its parts from its own build, whichever of them answers, and whatever the host has by then.
 */
import { takeTurns } from '../base/in-turn'
import { answerTo, missingHeaders, pageUrls, pathIn } from './answers'
import type { OfflineStatus } from './protocol'
import { atOnce, bytesOf, type Build, type SiteFiles, type StoredFile } from './site-files'

/** A page is waited for this long where a stored one could stand in: a network that neither works nor fails. */
const PATIENCE_MS = 4000
/** Files fetched at once: most of them are small, and their time is the way there and back. */
const LANES = 4
/** Kept beside a build's files, to say of it what its files do not. */
const WHOLE = 'offline-whole'
const WANTED = 'offline-wanted/'

export interface ServingParts {
  /** The site's root, absolute, with its slash. */
  readonly scope: string
  readonly build: Build
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'has'>
  readonly fetch: (request: RequestInfo | URL, options?: RequestInit) => Promise<Response>
  /** Bytes that the browser still has for this site; null where it does not say. */
  readonly room: () => Promise<number | null>
  readonly after?: (run: () => void, ms: number) => unknown
}

export interface Serving {
  /** Null: the browser is to ask the host itself. @param preloaded the host's answer, where the browser has asked already */
  readonly respond: (request: Request, preloaded?: Promise<Response | undefined>) => Promise<Response> | null
  readonly status: (ended?: OfflineStatus['ended']) => Promise<OfflineStatus>
  readonly store: (mostBytes: number, signal: AbortSignal) => Promise<OfflineStatus>
  /** @param held builds that a tab is of */
  readonly tidy: (held: ReadonlySet<string>) => Promise<void>
}

/** Caches belong to an origin: other sites may lie beside this one, and other copies of it. */
export const cachePrefix = (scope: string): string => `host-device-lab ${new URL(scope).pathname} `

/** Bytes that the browser still has for this site; null where it does not say: WebKitGTK 2.50 has no `storage`, Safari before 17 no `estimate`. */
export async function roomIn({
  storage,
}: {
  readonly storage?: Partial<StorageManager>
}): Promise<number | null> {
  const { quota, usage } = (await storage?.estimate?.()) ?? {}
  return quota === undefined || usage === undefined ? null : quota - usage
}

const isFull = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'QuotaExceededError'

export function createServing({
  scope,
  build,
  caches,
  fetch,
  room,
  after = setTimeout,
}: ServingParts): Serving {
  const prefix = cachePrefix(scope)
  const nameOf = (id: string) => prefix + id
  const at = (url: string) => new URL(url, scope).href
  /** Hosts vary by what a browser accepts, and what is stored is what this one accepted. */
  const look = (cache: Cache, url: string, ignoreSearch = false) =>
    cache.match(at(url), { ignoreVary: true, ignoreSearch })

  /** Builds that are stored, in part or whole: this one first, then the newest. */
  const stored = async (): Promise<readonly { readonly id: string; readonly cache: Cache }[]> => {
    const ids = (await caches.keys())
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .reverse()
    const ordered = [...ids.filter((id) => id === build.id), ...ids.filter((id) => id !== build.id)]
    return await Promise.all(ordered.map(async (id) => ({ id, cache: await caches.open(nameOf(id)) })))
  }

  let ownFiles: Promise<SiteFiles> | null = null
  const readFiles = async (): Promise<SiteFiles> => {
    const cache = await caches.open(nameOf(build.id))
    const kept = await look(cache, build.list)
    if (kept) return (await kept.json()) as SiteFiles // checked when it was stored
    const sent = await fetch(at(build.list), { integrity: build.integrity })
    if (!sent.ok) throw new Error(`The list of files is not there: ${String(sent.status)}`)
    await cache.put(at(build.list), sent.clone())
    return (await sent.json()) as SiteFiles
  }
  const files = (): Promise<SiteFiles> => {
    ownFiles ??= readFiles().catch((thrown: unknown) => {
      ownFiles = null // the next request tries again
      throw thrown
    })
    return ownFiles
  }

  /** Addresses in this build's cache; read once. */
  let ownUrls: Promise<Set<string>> | null = null
  const own = () =>
    (ownUrls ??= caches
      .open(nameOf(build.id))
      .then(async (cache) => new Set((await cache.keys()).map(({ url }) => url))))

  const mark = async (url: string): Promise<void> => {
    const cache = await caches.open(nameOf(build.id))
    await cache.put(at(url), new Response(''))
    ;(await own()).add(at(url))
  }

  const firstIn = async (
    from: readonly { readonly cache: Cache }[],
    urls: readonly string[],
    ignoreSearch = false,
  ): Promise<{ readonly url: string; readonly response: Response } | null> => {
    for (const { cache } of from)
      for (const url of urls) {
        const response = await look(cache, url, ignoreSearch)
        if (response) return { url, response }
      }
    return null
  }
  const whole = async () => {
    const all = await stored()
    const marks = await Promise.all(all.map(({ cache }) => look(cache, WHOLE)))
    return all.filter((_, index) => marks[index])
  }

  const completed = (response: Response, { destination, url }: Request): Response => {
    const { status, statusText, headers: sent } = response
    if (status < 200) return response // a redirect that the browser is to follow, or an error: neither can be made anew
    const policy = build.workerPolicies[pathIn(url, scope) ?? '']
    const missing = missingHeaders(sent, destination, policy)
    if (!missing) return response
    const headers = new Headers(sent)
    for (const [name, value] of Object.entries(missing)) headers.set(name, value)
    return new Response([204, 205, 304].includes(status) ? null : response.body, {
      status,
      statusText,
      headers,
    })
  }

  /** @returns null where no build is stored whole */
  const storedPage = async (path: string): Promise<Response | null> => {
    const builds = await whole()
    if (builds.length === 0) return null
    const found = await firstIn(builds, pageUrls(path))
    if (!found) {
      const none = await firstIn(builds, ['404.html'])
      return none && new Response(none.response.body, { status: 404, headers: none.response.headers })
    }
    // As hosts do: a page's addresses are relative to its folder.
    if (found.url !== path && !path.endsWith('index.html')) return Response.redirect(at(found.url), 308)
    return found.response
  }
  const page = async (request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> => {
    const live = (async () => (await preloaded) ?? (await fetch(request)))()
    const settled = live.then(
      (response) => ({ response, isUsable: response.status < 500 }),
      (reason: unknown) => ({ reason, isUsable: false }),
    )
    const patience = new Promise<null>((resolve) => {
      after(() => {
        resolve(null)
      }, PATIENCE_MS)
    })
    const first = await Promise.race([settled, patience])
    if (!first?.isUsable) {
      // A store that cannot be read is as good as none.
      const standIn = await storedPage(pathIn(request.url, scope) ?? '').catch(() => null)
      if (standIn) return standIn
    }
    return await live
  }

  const isOnUse = async (url: string): Promise<boolean> =>
    (await files()).files.some((file) => file.onUse && at(file.url) === url)
  const byContent = async (request: Request): Promise<Response> => {
    const found = await firstIn(await stored(), [request.url]).catch(() => null)
    if (found) return found.response
    const response = await fetch(request)
    if (response.ok && request.url.endsWith('.wasm') && (await isOnUse(request.url).catch(() => false))) {
      // Stored later, when nothing is measured: this may be the start of a run.
      await mark(WANTED + encodeURIComponent(request.url)).catch(() => undefined)
    }
    return response
  }
  const byName = async (request: Request): Promise<Response> => {
    const live = fetch(request)
    const response = await live.catch(() => null)
    if (response && response.status < 500) return response
    const found = await whole()
      .then((builds) => firstIn(builds, [request.url], true))
      .catch(() => null)
    return found?.response ?? (await live)
  }

  const status = async (ended: OfflineStatus['ended'] = null): Promise<OfflineStatus> => {
    const { files: all } = await files()
    const has = await own()
    const isStored = ({ url }: StoredFile) => has.has(at(url))
    const onUse = all.filter((file) => file.onUse)
    return {
      build: build.id,
      isWhole: has.has(at(WHOLE)),
      bytes: bytesOf(atOnce(all)),
      storedBytes: bytesOf(atOnce(all).filter(isStored)),
      onUseBytes: bytesOf(onUse),
      onUseStoredBytes: bytesOf(onUse.filter(isStored)),
      ended,
    }
  }

  /** The same bytes from a build that is stored already, whatever they are called there. */
  const fromAnother = async ({ integrity }: StoredFile): Promise<Response | null> => {
    for (const { id, cache } of await stored()) {
      if (id === build.id) continue
      const others = await otherFiles(id, cache)
      const same = others.find((file) => file.integrity === integrity)
      const response = same && (await look(cache, same.url))
      if (response) return response
    }
    return null
  }
  const others = new Map<string, readonly StoredFile[]>()
  const otherFiles = async (id: string, cache: Cache): Promise<readonly StoredFile[]> => {
    const known = others.get(id)
    if (known) return known
    const key = (await cache.keys()).find(({ url }) => url.endsWith(`/offline-${id}.json`))
    const list = key && (await cache.match(key, { ignoreVary: true }))
    const found = list ? ((await list.json()) as SiteFiles).files : []
    others.set(id, found)
    return found
  }

  const storeOne = async (cache: Cache, file: StoredFile, signal: AbortSignal): Promise<void> => {
    const url = at(file.url)
    const response =
      (await fromAnother(file)) ??
      (await fetch(url, {
        integrity: file.integrity,
        signal,
        // What has its content's name may come from the browser's own cache: the page has just loaded it.
        cache: file.url.startsWith('assets/') ? 'default' : 'no-cache',
      }))
    if (!response.ok) throw new Error(`${file.url}: ${String(response.status)}`)
    // A host that redirects a page to its folder: what was redirected answers no navigation.
    await cache.put(
      url,
      response.redirected
        ? new Response(response.body, { status: response.status, headers: response.headers })
        : response,
    )
    ;(await own()).add(url)
  }

  /** What is missing, up to so many bytes, and one file at least. */
  const nextFiles = (missing: readonly StoredFile[], mostBytes: number): readonly StoredFile[] => {
    let bytes = 0
    const past = missing.findIndex((file, index) => (bytes += file.bytes) > mostBytes && index > 0)
    return past < 0 ? missing : missing.slice(0, past)
  }
  const storeNext = async (mostBytes: number, signal: AbortSignal): Promise<OfflineStatus> => {
    try {
      const { files: all } = await files()
      const has = await own()
      const isWanted = ({ url, onUse }: StoredFile) =>
        !onUse || has.has(at(WANTED + encodeURIComponent(at(url))))
      const missing = all.filter((file) => !has.has(at(file.url)) && isWanted(file))
      const free = await room()
      if (free !== null && free < bytesOf(missing)) return await status('no-room')
      const cache = await caches.open(nameOf(build.id))
      const next = [...nextFiles(missing, mostBytes)].reverse()
      const lane = async () => {
        for (let file = next.pop(); file; file = next.pop()) {
          signal.throwIfAborted()
          await storeOne(cache, file, signal)
        }
      }
      const isLast = next.length === missing.length
      await Promise.all(Array.from({ length: LANES }, lane))
      if (isLast && !has.has(at(WHOLE))) await mark(WHOLE)
      return await status()
    } catch (thrown) {
      return await status(signal.aborted ? 'paused' : isFull(thrown) ? 'no-room' : 'unreachable')
    }
  }

  /** Two tabs that ask at once do not fetch the same files. */
  const inTurn = takeTurns()

  return {
    respond: (request, preloaded) => {
      const { method, url, mode, headers } = request
      const answered = (response: Response) => completed(response, request)
      switch (answerTo({ method, url, mode, hasRange: headers.has('Range') }, scope)) {
        case 'pass':
          return null
        case 'page':
          return page(request, preloaded).then(answered)
        case 'by-content':
          return byContent(request).then(answered)
        case 'by-name':
          return byName(request).then(answered)
      }
    },
    status,
    store: (mostBytes, signal) => inTurn(() => storeNext(mostBytes, signal)),
    tidy: (held) =>
      inTurn(async () => {
        if (!(await own()).has(at(WHOLE))) return
        for (const { id } of await stored())
          if (id !== build.id && !held.has(id)) await caches.delete(nameOf(id))
      }),
  }
}
