/** The service worker's work on a made-up site, host and store: what is stored, what is answered, and that builds are never mixed. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Build, OfflineStatus, StoredFiles } from './protocol'
import { createServing } from './serving'
import { storedAs } from './site-files'

const SCOPE = 'https://lab.test/some/where/'
const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

interface Site {
  readonly build: Build
  readonly files: Readonly<Record<string, string>>
}
type Texts = Readonly<Record<string, string>>
const listed = (files: Texts): StoredFiles =>
  Object.fromEntries(
    Object.entries(files).map(([url, text]) => [url, { bytes: text.length, integrity: integrityOf(text) }]),
  )
/** @param pages that only the host has */
const site = (id: string, pages: Texts, first: Texts, onUse: Texts = {}): Site => ({
  build: {
    id,
    shell: `<base href="./" />shell of ${id}`,
    first: listed(first),
    onUse: listed(onUse),
    workerPolicies: { 'assets/worker-1.js': "default-src 'none'" },
  },
  files: { ...pages, ...first, ...onUse },
})
const ON_USE = { 'recordings/r.gz?v=a': 'recorded for A', 'assets/big-AAAAAAAA.wasm': 'big' }
const A = site(
  'aaaa',
  { '': 'home of A', 'lessons/one/': 'one of A' },
  { 'assets/one-1.js': 'part of A', 'assets/worker-1.js': 'worker', 'licences.txt?b=aaaa': 'licences of A' },
  ON_USE,
)
const B = site(
  'bbbb',
  { '': 'home of B', 'lessons/one/': 'one of B' },
  { 'assets/one-2.js': 'part of B', 'assets/worker-1.js': 'worker', 'licences.txt?b=bbbb': 'licences of B' },
  { 'recordings/r.gz?v=b': 'recorded for B', 'assets/big-BBBBBBBB.wasm': 'bigger' },
)
const SHELL_A = `<base href="${SCOPE}" />shell of aaaa`

/** A host that serves one site by name, and can be unplugged. */
class Host {
  serves: Site | null
  readonly asked: string[] = []
  headers: Readonly<Record<string, string>> = {}
  status = 200
  constructor(serves: Site) {
    this.serves = serves
  }
  readonly fetch = (request: RequestInfo | URL, options: RequestInit = {}): Promise<Response> => {
    const url = new URL(request instanceof Request ? request.url : request)
    const path = url.pathname.slice(new URL(SCOPE).pathname.length)
    this.asked.push(path)
    if (options.signal?.aborted) return Promise.reject(new DOMException('Ended', 'AbortError'))
    if (!this.serves) return Promise.reject(new TypeError('Failed to fetch'))
    // As hosts do: whatever the query is.
    const found = Object.entries(this.serves.files).find(([name]) => name.replace(/\?.*/, '') === path)
    if (this.status !== 200) return Promise.resolve(new Response('busy', { status: this.status }))
    if (!found) return Promise.resolve(new Response('not found', { status: 404 }))
    if (options.integrity !== undefined && options.integrity !== integrityOf(found[1]))
      return Promise.reject(new TypeError('Failed integrity check'))
    const type = /(\/|\.html|^)$/.test(path) ? 'text/html; charset=utf-8' : 'text/javascript'
    return Promise.resolve(new Response(found[1], { headers: { 'Content-Type': type, ...this.headers } }))
  }
}

/** CacheStorage as far as it is used. */
class Store {
  readonly caches = new Map<string, Map<string, Response>>()
  puts = 0
  failure: Error | null = null
  readonly keys = () => Promise.resolve([...this.caches.keys()])
  readonly match = async (request: RequestInfo | URL, options?: CacheQueryOptions) => {
    for (const name of this.caches.keys()) {
      const found = await (await this.open(name)).match(request, options)
      if (found) return found
    }
    return undefined
  }
  readonly delete = (name: string) => Promise.resolve(this.caches.delete(name))
  readonly open = (name: string): Promise<Cache> => {
    const entries = this.caches.get(name) ?? new Map<string, Response>()
    this.caches.set(name, entries)
    const bare = (url: string) => url.replace(/\?.*/, '')
    const cache: Pick<Cache, 'keys' | 'match' | 'put' | 'delete'> = {
      delete: (request) =>
        Promise.resolve(entries.delete(request instanceof Request ? request.url : String(request))),
      keys: () => Promise.resolve([...entries.keys()].map((url) => new Request(url))),
      match: (request, options) => {
        const url = request instanceof Request ? request.url : String(request)
        const found = options?.ignoreSearch
          ? [...entries].find(([name]) => bare(name) === bare(url))?.[1]
          : entries.get(url)
        return Promise.resolve(found?.clone())
      },
      put: (request, response) => {
        if (this.failure) return Promise.reject(this.failure)
        this.puts += 1
        entries.set(request instanceof Request ? request.url : String(request), response)
        return Promise.resolve()
      },
    }
    return Promise.resolve(cache as Cache)
  }
}

const forever = new AbortController().signal
const NONE: readonly string[] = []
const servingOf = (
  { build }: Site,
  store: Store,
  host: Host,
  onUsed: (url: string) => void = () => undefined,
) => createServing({ scope: SCOPE, build, caches: store, fetch: host.fetch, onUsed, after: () => undefined })
type Serving = ReturnType<typeof servingOf>

/** A request as a browser makes it: Node makes none that navigate. */
const asked = (path: string, { mode = 'cors', destination = '' } = {}): Request => {
  const request = new Request(new URL(path, SCOPE))
  return Object.defineProperties(request, { mode: { value: mode }, destination: { value: destination } })
}
const navigation = (path: string) => asked(path, { mode: 'navigate', destination: 'document' })
const textOf = async (serving: Serving, request: Request) => {
  const answer = serving.respond(request)
  return answer && (await (await answer).text())
}

/** As a page does. */
async function storeAll(
  serving: Serving,
  used: readonly string[] | 'all' = NONE,
  isAlone = true,
): Promise<OfflineStatus> {
  for (let turn = 0; turn < 10; turn++) {
    const status = await serving.store({ used, signal: forever, isAlone })
    if (status.isDone) return status
  }
  throw new Error('It has no end.')
}
async function whole(build: Site, store = new Store(), isAlone = true) {
  const host = new Host(build)
  const serving = servingOf(build, store, host)
  expect(await storeAll(serving, NONE, isAlone)).toMatchObject({ phase: 'ready', isDone: true })
  host.asked.length = 0
  return { host, store, serving }
}
const FILES = 'host-device-lab /some/where/ files'
const storedIn = (store: Store) =>
  [...(store.caches.get(FILES)?.keys() ?? [])].map((url) => url.slice(SCOPE.length)).sort()

describe('storing', () => {
  it('stores what every lesson needs, and the shell when all of that is there', async () => {
    const store = new Store()
    const serving = servingOf(A, store, new Host(A))
    expect(await serving.status()).toMatchObject({ phase: 'storing', storedBytes: 0 })
    const status = await storeAll(serving)
    expect(status.storedBytes).toBe(status.bytes)
    expect(storedIn(store)).toEqual([...Object.keys(A.build.first), 'offline-shell?aaaa'].sort())
  })

  it('goes on a few files at a time', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`assets/${String(index)}.js`, 'x']),
    )
    const store = new Store()
    const serving = servingOf(site('many', {}, many), store, new Host(site('many', {}, many)))
    const first = await serving.store({ used: NONE, signal: forever, isAlone: true })
    expect(first).toMatchObject({ phase: 'storing', isDone: false })
    expect(first.storedBytes).toBeLessThan(first.bytes)
    expect(await storeAll(serving)).toMatchObject({ phase: 'ready', storedBytes: 20 })
  })

  it('stores nothing that is not of the build: in the middle of a deploy it is not whole', async () => {
    const store = new Store()
    const host = new Host(B)
    const serving = servingOf(A, store, host)
    expect(await storeAll(serving)).toMatchObject({ phase: 'unreachable' })
    expect(storedIn(store)).not.toContain('licences.txt?b=aaaa')
    host.serves = null
    await expect(serving.respond(navigation(''))).rejects.toThrow('Failed to fetch')
  })

  it('ends when it is told to, and goes on later', async () => {
    const store = new Store()
    const serving = servingOf(A, store, new Host(A))
    const told = new AbortController()
    told.abort()
    expect(await serving.store({ used: NONE, signal: told.signal, isAlone: true })).toMatchObject({
      phase: 'storing',
      isDone: false,
    })
    expect(storedIn(store)).toEqual([])
    expect(await storeAll(serving)).toMatchObject({ phase: 'ready' })
  })

  it('says so where there is no room', async () => {
    const store = new Store()
    store.failure = Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    expect(await storeAll(servingOf(A, store, new Host(A)))).toMatchObject({ phase: 'no-room', isDone: true })
  })

  it('takes what has not changed from the build before', async () => {
    const { store } = await whole(A)
    const host = new Host(B)
    await storeAll(servingOf(B, store, host))
    expect(host.asked.sort()).toEqual(['assets/one-2.js', 'licences.txt'])
  })

  it('waits with what is stored on use until it was used, and stores it apart from that', async () => {
    const { store, host } = await whole(A)
    const used: string[] = []
    const serving = servingOf(A, store, host, (url) => used.push(url))
    expect(await textOf(serving, asked('assets/big-AAAAAAAA.wasm'))).toBe('big')
    expect(await textOf(serving, asked('assets/one-1.js'))).toBe('part of A')
    expect(used).toEqual(['assets/big-AAAAAAAA.wasm'])
    // Not by the request itself: it may be the start of a run.
    expect(await serving.status()).toMatchObject({ onUseBytes: 17, onUseStoredBytes: 0 })
    expect(await storeAll(serving, used)).toMatchObject({ onUseStoredBytes: 3 })
    expect(await storeAll(serving, 'all')).toMatchObject({ onUseStoredBytes: 17 })
  })

  it('has of a new build what was used of the one before', async () => {
    const { store, serving } = await whole(A)
    await storeAll(serving, 'all')
    expect(await storeAll(servingOf(B, store, new Host(B)))).toMatchObject({ onUseStoredBytes: 20 })
    const { store: another } = await whole(A)
    expect(await storeAll(servingOf(B, another, new Host(B)))).toMatchObject({ onUseStoredBytes: 0 })
  })
})

describe('answering', () => {
  it('asks the host for a page, and stands in for it where it is away or ill', async () => {
    const { serving, host } = await whole(A)
    host.serves = B
    expect(await textOf(serving, navigation('lessons/one/'))).toBe('one of B')
    host.status = 503
    expect(await textOf(serving, navigation('lessons/one/'))).toBe(SHELL_A)
    host.serves = null
    for (const page of ['', '?from=elsewhere', 'lessons/one/#see', 'lessons/one', 'lessons/one/index.html'])
      expect(await textOf(serving, navigation(page))).toBe(SHELL_A)
    expect(await textOf(serving, navigation('licences.txt'))).toBe('licences of A')
  })

  it('stands in for a host that neither answers nor fails', async () => {
    const { store } = await whole(A)
    let giveUp = () => undefined as unknown
    const serving = createServing({
      scope: SCOPE,
      build: A.build,
      caches: store,
      fetch: () => new Promise(() => undefined),
      onUsed: () => undefined,
      after: (run) => (giveUp = run),
    })
    const answer = textOf(serving, navigation(''))
    giveUp()
    expect(await answer).toBe(SHELL_A)
  })

  it('uses the answer that the browser has asked for already', async () => {
    const { serving, host } = await whole(A)
    const preloaded = Promise.resolve(new Response('preloaded'))
    expect(await (await serving.respond(navigation(''), preloaded))?.text()).toBe('preloaded')
    expect(host.asked).toEqual([])
  })

  it('gives a tab the parts of its own build, whichever answers and whatever the host has', async () => {
    const { store, serving: before } = await whole(A)
    await storeAll(before, 'all')
    const { serving, host } = await whole(B, store, false)
    host.asked.length = 0
    expect(await textOf(serving, asked('assets/one-1.js'))).toBe('part of A')
    expect(await textOf(serving, asked('assets/one-2.js'))).toBe('part of B')
    expect(await textOf(serving, asked('recordings/r.gz?v=a'))).toBe('recorded for A')
    expect(await textOf(serving, asked('recordings/r.gz?v=b'))).toBe('recorded for B')
    expect(host.asked).toEqual([])
    host.serves = null
    expect(await textOf(serving, navigation(''))).toContain('shell of bbbb')
  })

  it('stands in with the build before, where the new one is not whole yet', async () => {
    const { store } = await whole(A)
    const host = new Host({ ...B, files: { 'assets/one-2.js': 'part of B' } })
    const serving = servingOf(B, store, host)
    expect(await storeAll(serving)).toMatchObject({ phase: 'unreachable' })
    host.serves = null
    expect(await textOf(serving, navigation('lessons/one/'))).toBe(SHELL_A)
  })

  it('deletes what is of no tab’s build once the new one is whole, and nothing of other sites', async () => {
    const { store } = await whole(A)
    const old = 'host-device-lab /some/where/ 0123456789abcdef'
    const others = ['host-device-lab /some/ files', 'other']
    for (const name of [old, ...others]) store.caches.set(name, new Map())
    await whole(B, store, false)
    expect(storedIn(store)).toEqual(expect.arrayContaining(['assets/one-1.js', 'offline-shell?aaaa']))
    await whole(B, store)
    expect(storedIn(store)).toEqual([...Object.keys(B.build.first), 'offline-shell?bbbb'].sort())
    expect([...store.caches.keys()].sort()).toEqual([FILES, ...others].sort())
  })

  it.each([
    ['another site', new Request('https://other.test/some/where/x')],
    ['the host’s other paths', new Request('https://lab.test/some/thing')],
    ['what changes something', new Request(SCOPE, { method: 'POST' })],
    ['a part of a file', new Request(`${SCOPE}assets/one-1.js`, { headers: { Range: 'bytes=0-1' } })],
    ['the way to Perfetto', navigation('perfetto.html')],
    ['itself', new Request(`${SCOPE}sw.js`)],
  ])('leaves %s to the browser', async (_, request) => {
    const { serving } = await whole(A)
    expect(serving.respond(request)).toBe(null)
  })
})

describe('addresses', () => {
  it.each([
    ['assets/main-1.js', { url: 'assets/main-1.js', isOnUse: false }],
    ['assets/CodeEditor-1.js', { url: 'assets/CodeEditor-1.js', isOnUse: true }],
    ['recordings/sync-stalls.hdl.gz', { url: 'recordings/sync-stalls.hdl.gz?v=v1', isOnUse: true }],
    ['licences.txt', { url: 'licences.txt?b=id', isOnUse: false }],
    ['lessons/sync-stalls/index.html', null],
    ['previews/x.png', null],
    ['assets/perfetto-1.js', null],
    ['sw.js', null],
  ])('of %s', (path, expected) => {
    expect(storedAs(path, 'v1', 'id')).toEqual(expected)
  })
})

describe('headers', () => {
  const headersOf = async (request: Request, host: Host) => {
    const answer = servingOf(A, new Store(), host).respond(request)
    return (await answer)?.headers
  }
  it('isolate documents and workers of a host that sends none', async () => {
    const page = await headersOf(navigation(''), new Host(A))
    expect(page?.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    expect(page?.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
    expect(page?.get('Permissions-Policy')).toContain('camera=()')
    expect(page?.has('Content-Security-Policy')).toBe(false) // it stands in the page
    const worker = await headersOf(asked('assets/worker-1.js', { destination: 'worker' }), new Host(A))
    expect(worker?.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
    expect(worker?.get('Content-Security-Policy')).toBe("default-src 'none'")
    expect(worker?.has('Permissions-Policy')).toBe(false)
    const script = await headersOf(asked('assets/one-1.js', { destination: 'script' }), new Host(A))
    expect(script?.has('Cross-Origin-Embedder-Policy')).toBe(false)
  })
  it('that the host sends stand', async () => {
    const host = new Host(A)
    host.headers = {
      'Cross-Origin-Embedder-Policy': 'credentialless',
      'Content-Security-Policy': "script-src 'self'",
    }
    const worker = await headersOf(asked('assets/worker-1.js', { destination: 'worker' }), host)
    expect(worker?.get('Cross-Origin-Embedder-Policy')).toBe('credentialless')
    expect(worker?.get('Content-Security-Policy')).toBe("script-src 'self'")
  })
})
