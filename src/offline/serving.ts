/**
 * The service worker's work, without its events. One cache holds the files of all builds: an address changes with its content, so a tab gets
 * the parts of its own build, whichever build's service worker answers. A page that is stored is its build's shell, put there last.
 */
import { takeTurns } from '../base/in-turn'
import { answerTo, missingHeaders, pathIn } from './answers'
import { RELATIVE_BASE, type Build, type OfflineStatus, type StoredFiles } from './protocol'

/** Fetched at once, then it is asked anew whether something is measured. */
const BATCH = 8
/** The host is waited for this long where a stored file could stand in: a network that neither works nor fails. */
const PATIENCE_MS = 4000
const SHELL = 'offline-shell'

export interface ServingParts {
  /** The site's root, absolute, with its slash. */
  readonly scope: string
  readonly build: Build
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>
  readonly fetch: (request: RequestInfo | URL, options?: RequestInit) => Promise<Response>
  /** A file was sent that is stored on use. */
  readonly onUsed: (url: string) => void
  readonly after?: (run: () => void, ms: number) => unknown
}

interface StoreOptions {
  readonly used: readonly string[] | 'all'
  readonly signal: AbortSignal
  /** No tab may be of another build: what is not of this one is deleted once this one is whole. */
  readonly isAlone: boolean
}

/** Caches belong to an origin: other sites may lie beside this one, and other copies of it. */
export const cachePrefix = (scope: string): string => `host-device-lab ${new URL(scope).pathname} `

const whyNot = (thrown: unknown): 'no-room' | 'unreachable' =>
  thrown instanceof Error && thrown.name === 'QuotaExceededError' ? 'no-room' : 'unreachable'
const sum = (files: StoredFiles, counts: (url: string) => boolean = () => true): number =>
  Object.entries(files).reduce((total, [url, { bytes }]) => total + (counts(url) ? bytes : 0), 0)
/** The same in all builds. */
const bare = (url: string): string => url.replace(/-[\w-]{8}(?=\.\w+$)|\?.*$/, '')

export function createServing({ scope, build, caches, fetch, onUsed, after = setTimeout }: ServingParts) {
  const name = `${cachePrefix(scope)}files`
  const shell = `${SHELL}?${build.id}`
  const at = (url: string) => new URL(url, scope).href
  const kept = async (url: string, ignoreSearch = false): Promise<Response | undefined> =>
    // Hosts vary by what a browser accepts, and what is stored is what this one accepted.
    await caches.match(at(url), { ignoreVary: true, ignoreSearch }).catch(() => undefined)
  const stored = async (): Promise<ReadonlySet<string>> =>
    new Set((await (await caches.open(name)).keys()).map(({ url }) => url.slice(scope.length)))

  const completed = (response: Response, { destination, url }: Request): Response => {
    const { status, statusText, headers: sent } = response
    if (status < 200) return response // a redirect that the browser is to follow, or an error: neither can be made anew
    const missing = missingHeaders(sent, destination, build.workerPolicies[pathIn(url, scope) ?? ''])
    if (!missing) return response
    const headers = new Headers(sent)
    for (const [field, value] of Object.entries(missing)) headers.set(field, value)
    const body = [204, 205, 304].includes(status) ? null : response.body
    return new Response(body, { status, statusText, headers })
  }

  /** The host's answer; where it is away, ill or slow, what is stored. */
  const hostFirst = async (
    live: Promise<Response>,
    standIn: () => Promise<Response | undefined>,
  ): Promise<Response> => {
    const patience = new Promise<null>((resolve) => {
      after(() => {
        resolve(null)
      }, PATIENCE_MS)
    })
    const response = await Promise.race([live.catch(() => null), patience])
    if (response && response.status < 500) return response
    return (await standIn()) ?? (await live)
  }
  const page = (request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> =>
    hostFirst(
      (async () => (await preloaded) ?? (await fetch(request)))(),
      async () =>
        (await kept(request.url, true)) ?? // a file to be read, such as the licences
        (await kept(shell)) ??
        (await kept(SHELL, true)), // of the build before
    )
  const byContent = async (request: Request): Promise<Response> => {
    const found = await kept(request.url)
    if (found) return found
    const response = await fetch(request)
    const url = request.url.slice(scope.length)
    if (response.ok && url in build.onUse) onUsed(url)
    return response
  }

  const status = async (
    isDone: boolean,
    phase: OfflineStatus['phase'] = 'storing',
  ): Promise<OfflineStatus> => {
    const has = await stored()
    return {
      build: build.id,
      phase: has.has(shell) ? 'ready' : phase,
      isDone,
      bytes: sum(build.first),
      storedBytes: sum(build.first, (url) => has.has(url)),
      onUseBytes: sum(build.onUse),
      onUseStoredBytes: sum(build.onUse, (url) => has.has(url)),
    }
  }
  const tidy = async (cache: Cache): Promise<void> => {
    for (const { url } of await cache.keys()) {
      const own = url.slice(scope.length)
      if (own !== shell && !(own in build.first) && !(own in build.onUse)) await cache.delete(url)
    }
    for (const other of await caches.keys())
      if (other.startsWith(cachePrefix(scope)) && other !== name) await caches.delete(other)
  }
  const storeNext = async ({ used, signal, isAlone }: StoreOptions): Promise<OfflineStatus> => {
    try {
      const cache = await caches.open(name)
      const has = await stored()
      // What the build before had is not taken from whoever goes on to this one.
      const before = new Set([...has].map(bare))
      const isUsed = (url: string) => used === 'all' || used.includes(url) || before.has(bare(url))
      const onUse = Object.entries(build.onUse).filter(([url]) => isUsed(url))
      const next = [...Object.entries(build.first), ...onUse].filter(([url]) => !has.has(url)).slice(0, BATCH)
      const storeOne = async ([url, { integrity }]: (typeof next)[number]) => {
        const response = await fetch(at(url), { signal, integrity })
        if (!response.ok) throw new Error(`${url}: ${String(response.status)}`)
        await cache.put(at(url), response)
      }
      await Promise.all(next.map(storeOne))
      if (!has.has(shell) && Object.keys(build.first).every((url) => has.has(url))) {
        const html = build.shell.replace(RELATIVE_BASE, `<base href="${scope}" />`)
        await cache.put(at(shell), new Response(html, { headers: { 'Content-Type': 'text/html' } }))
      }
      if (next.length === 0 && isAlone) await tidy(cache)
      return await status(next.length === 0)
    } catch (thrown) {
      return signal.aborted ? await status(false) : await status(true, whyNot(thrown))
    }
  }
  /** Two tabs that ask at once do not fetch the same files. */
  const inTurn = takeTurns()

  return {
    /** Null: the browser is to ask the host itself. @param preloaded the host's answer, where the browser has asked already */
    respond: (request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> | null => {
      const answer = {
        pass: () => null,
        page: () => page(request, preloaded),
        'by-content': () => byContent(request),
        'by-name': () => hostFirst(fetch(request), () => kept(request.url, true)),
      }[answerTo(request, scope)]()
      return answer && answer.then((response) => completed(response, request))
    },
    status: () => status(true),
    store: (options: StoreOptions) => inTurn(() => storeNext(options)),
  }
}
