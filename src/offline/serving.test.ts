/** The service worker's work on a made-up site, host and store: what is stored, what is answered, and that builds are never mixed. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createServing, roomIn, type Serving } from './serving'
import type { Build, SiteFiles } from './site-files'

const SCOPE = 'https://lab.test/some/where/'
const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

interface Site {
  readonly build: Build
  readonly files: Readonly<Record<string, string>>
}
function site(id: string, files: Readonly<Record<string, string>>, onUse: readonly string[] = []): Site {
  const list: SiteFiles = {
    id,
    files: Object.entries(files).map(([url, text]) => ({
      url,
      bytes: text.length,
      integrity: integrityOf(text),
      ...(onUse.includes(url) && { onUse: true }),
    })),
  }
  const text = JSON.stringify(list)
  const name = `assets/offline-${id}.json`
  return {
    build: {
      id,
      list: name,
      integrity: integrityOf(text),
      workerPolicies: { 'assets/worker-1.js': "default-src 'none'" },
    },
    files: { ...files, [name]: text },
  }
}
const A = site('aaaa', {
  '': '<html>A</html>',
  'lessons/one/': '<html>one of A</html>',
  '404.html': '<html>none</html>',
  'assets/one-1.js': 'one of A',
  'assets/worker-1.js': 'worker',
  'recordings/r.gz?v=a': 'recorded for A',
})
const B = site('bbbb', {
  '': '<html>B</html>',
  'lessons/one/': '<html>one of B</html>',
  'assets/one-2.js': 'one of B',
  'assets/worker-1.js': 'worker',
  'recordings/r.gz?v=b': 'recorded for B',
})

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
  readonly has = (name: string) => Promise.resolve(this.caches.has(name))
  readonly delete = (name: string) => Promise.resolve(this.caches.delete(name))
  readonly open = (name: string): Promise<Cache> => {
    const entries = this.caches.get(name) ?? new Map<string, Response>()
    this.caches.set(name, entries)
    const bare = (url: string) => url.replace(/\?.*/, '')
    const cache: Pick<Cache, 'keys' | 'match' | 'put'> = {
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
const servingOf = ({ build }: Site, store: Store, host: Host, room: number | null = null) =>
  createServing({
    scope: SCOPE,
    build,
    caches: store,
    fetch: host.fetch,
    room: () => Promise.resolve(room),
    after: () => undefined,
  })

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

async function whole(build: Site, store = new Store()) {
  const host = new Host(build)
  const serving = servingOf(build, store, host)
  expect(await serving.store(1e6, forever)).toMatchObject({ isWhole: true, ended: null })
  host.asked.length = 0
  return { host, store, serving }
}

describe('storing', () => {
  it('goes on bit by bit, one file at least, and tells how far it is', async () => {
    const serving = servingOf(A, new Store(), new Host(A))
    const first = await serving.store(1, forever)
    expect(first).toMatchObject({ isWhole: false, storedBytes: '<html>A</html>'.length, ended: null })
    let status = first
    for (let steps = 0; !status.isWhole && steps < 10; steps++) status = await serving.store(1, forever)
    expect(status).toMatchObject({ isWhole: true, storedBytes: status.bytes })
  })

  it('stores nothing that is not of the build: in the middle of a deploy it is not whole', async () => {
    const store = new Store()
    const host = new Host({ ...A, files: { ...B.files, [A.build.list]: A.files[A.build.list] ?? '' } })
    const serving = servingOf(A, store, host)
    expect(await serving.store(1e6, forever)).toMatchObject({ isWhole: false, ended: 'unreachable' })
    const kept = store.caches.get('host-device-lab /some/where/ aaaa')
    expect(kept?.has(`${SCOPE}recordings/r.gz?v=a`)).toBe(false)
    host.serves = null
    await expect(serving.respond(navigation(''))).rejects.toThrow('Failed to fetch')
  })

  it('ends when it is told to, and goes on later', async () => {
    const serving = servingOf(A, new Store(), new Host(A))
    const told = new AbortController()
    told.abort()
    expect(await serving.store(1e6, told.signal)).toMatchObject({ storedBytes: 0, ended: 'paused' })
    expect(await serving.store(1e6, forever)).toMatchObject({ isWhole: true })
  })

  it('knows how much room there is only where the browser says it', async () => {
    const estimate = () => Promise.resolve({ quota: 100, usage: 30 })
    expect(await roomIn({ storage: { estimate } })).toBe(70)
    expect(await roomIn({ storage: { estimate: () => Promise.resolve({ usage: 30 }) } })).toBeNull()
    expect(await roomIn({ storage: {} })).toBeNull() // Safari before 17
    expect(await roomIn({})).toBeNull() // WebKitGTK
  })
  it('begins nothing for which there is no room, and says so when it runs out', async () => {
    const host = new Host(A)
    expect(await servingOf(A, new Store(), host, 10).store(1e6, forever)).toMatchObject({ ended: 'no-room' })
    expect(host.asked).toEqual([A.build.list])
    const store = new Store()
    const serving = servingOf(A, store, new Host(A))
    await serving.status()
    store.failure = Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    expect(await serving.store(1e6, forever)).toMatchObject({ isWhole: false, ended: 'no-room' })
  })

  it('takes what has not changed from the build before, whatever it is called there', async () => {
    const { store } = await whole(A)
    const { host } = await (async () => {
      const host = new Host(B)
      const serving = servingOf(B, store, host)
      await serving.store(1e6, forever)
      return { host }
    })()
    expect(host.asked).not.toContain('assets/worker-1.js')
    expect(host.asked).toContain('assets/one-2.js')
  })

  it('waits with what is stored on use until it was used', async () => {
    const C = site('cccc', { '': '<html>', 'assets/big-1.wasm': 'big' }, ['assets/big-1.wasm'])
    const { serving } = await whole(C)
    expect(await serving.status()).toMatchObject({ onUseBytes: 3, onUseStoredBytes: 0 })
    expect(await textOf(serving, asked('assets/big-1.wasm'))).toBe('big')
    // Not by the request itself: it may be the start of a run.
    expect(await serving.status()).toMatchObject({ onUseStoredBytes: 0 })
    expect(await serving.store(1e6, forever)).toMatchObject({ onUseStoredBytes: 3 })
  })
})

describe('answering', () => {
  it('asks the host for a page, and stands in for it where it is away or ill', async () => {
    const { serving, host } = await whole(A)
    host.serves = B
    expect(await textOf(serving, navigation('lessons/one/'))).toBe('<html>one of B</html>')
    host.status = 503
    expect(await textOf(serving, navigation('lessons/one/'))).toBe('<html>one of A</html>')
    host.serves = null
    expect(await textOf(serving, navigation('lessons/one/#see'))).toBe('<html>one of A</html>')
    expect(await textOf(serving, navigation('?from=elsewhere'))).toBe('<html>A</html>')
    expect(await textOf(serving, navigation('lessons/one/index.html'))).toBe('<html>one of A</html>')
  })

  it('leads from a folder to its slash, and says what is no page', async () => {
    const { serving, host } = await whole(A)
    host.serves = null
    const folder = await serving.respond(navigation('lessons/one'))
    expect([folder?.status, folder?.headers.get('Location')]).toEqual([308, `${SCOPE}lessons/one/`])
    const none = await serving.respond(navigation('lessons/two/'))
    expect([none?.status, await none?.text()]).toEqual([404, '<html>none</html>'])
  })

  it('stands in for a host that neither answers nor fails', async () => {
    const { store } = await whole(A)
    let giveUp = () => undefined as unknown
    const serving = createServing({
      scope: SCOPE,
      build: A.build,
      caches: store,
      fetch: () => new Promise(() => undefined),
      room: () => Promise.resolve(null),
      after: (run) => (giveUp = run),
    })
    const answer = textOf(serving, navigation(''))
    giveUp()
    expect(await answer).toBe('<html>A</html>')
  })

  it('uses the answer that the browser has asked for already', async () => {
    const { serving, host } = await whole(A)
    const preloaded = Promise.resolve(new Response('preloaded'))
    expect(await (await serving.respond(navigation(''), preloaded))?.text()).toBe('preloaded')
    expect(host.asked).toEqual([])
  })

  it('gives a tab the parts of its own build, whichever answers and whatever the host has', async () => {
    const { store } = await whole(A)
    const { serving, host } = await whole(B, store)
    expect(await textOf(serving, asked('assets/one-1.js'))).toBe('one of A')
    expect(await textOf(serving, asked('assets/one-2.js'))).toBe('one of B')
    expect(await textOf(serving, asked('recordings/r.gz?v=a'))).toBe('recorded for A')
    expect(await textOf(serving, asked('recordings/r.gz?v=b'))).toBe('recorded for B')
    expect(host.asked).toEqual([])
    host.serves = null
    expect(await textOf(serving, navigation(''))).toBe('<html>B</html>')
  })

  it('stands in with the build before, where the new one is not whole yet', async () => {
    const { store } = await whole(A)
    const host = new Host(B)
    const serving = servingOf(B, store, host)
    await serving.store(1, forever)
    host.serves = null
    expect(await textOf(serving, navigation('lessons/one/'))).toBe('<html>one of A</html>')
  })

  it('lets go of a build when no tab is of it, and not before the new one is whole', async () => {
    const { store } = await whole(A)
    store.caches.set('host-device-lab /some/ aaaa', new Map()).set('other', new Map())
    const others = ['host-device-lab /some/ aaaa', 'other']
    const host = new Host(B)
    const serving = servingOf(B, store, host)
    const names = () => [...store.caches.keys()].filter((name) => !others.includes(name))
    await serving.store(1, forever)
    await serving.tidy(new Set())
    expect(names()).toHaveLength(2)
    await serving.store(1e6, forever)
    await serving.tidy(new Set(['aaaa']))
    expect(names()).toHaveLength(2)
    await serving.tidy(new Set(['bbbb']))
    expect(names()).toEqual(['host-device-lab /some/where/ bbbb'])
    // Of other sites beside this one, nothing.
    expect(others.every((name) => store.caches.has(name))).toBe(true)
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
