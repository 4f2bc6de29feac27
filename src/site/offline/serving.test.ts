/** How the service worker answers, on a made-up site, host and store. */
import { describe, expect, it } from 'vitest'
import { createServing } from './serving'

const SCOPE = 'https://lab.test/some/where/'
const CACHE = 'host-device-lab /some/where/ '
const WORKER = 'assets/worker-1.js'
const SHELL_OF = (build: string) => `<base href="./" /><title>${build}</title>`
const shellAt = (build: string) => `<base href="/some/where/" /><title>${build}</title>`

/** CacheStorage as far as it is used, in the order in which caches were made. */
const storeOf = (
  kept: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Pick<CacheStorage, 'open' | 'keys' | 'match'> => {
  const lookIn = (
    name: string,
    request: RequestInfo | URL,
    { ignoreSearch = false }: CacheQueryOptions = {},
  ) => {
    const bare = (url: string) => (ignoreSearch ? url.replace(/\?.*/, '') : url.replace(/#.*/, ''))
    const found = Object.entries(kept[name] ?? {}).find(
      ([path]) => bare(SCOPE + path) === bare(request instanceof Request ? request.url : String(request)),
    )
    return found && new Response(found[1], { headers: { 'Content-Type': 'text/html' } })
  }
  return {
    keys: () => Promise.resolve(Object.keys(kept)),
    open: (name) => {
      const match: Cache['match'] = (request, options) => Promise.resolve(lookIn(name, request, options))
      return Promise.resolve({ match } as Cache)
    },
    match: (request, options) =>
      Promise.resolve(
        Object.keys(kept)
          .map((name) => lookIn(name, request, options))
          .find(Boolean),
      ),
  }
}
const STORE = storeOf({
  [`${CACHE}aaaa`]: {
    'offline.html': SHELL_OF('A'),
    'assets/one-1.js': 'one of A',
    'recordings/r.gz?v=a': 'recorded for A',
    'icon.svg': 'icon',
    'licences.txt': 'licences',
  },
  // The newer is not whole yet.
  [`${CACHE}bbbb`]: { 'assets/one-2.js': 'one of B' },
  'host-device-lab /some/ cccc': { 'offline.html': SHELL_OF('another copy') },
})

interface Host {
  readonly answer?: () => Promise<Response>
  readonly store?: typeof STORE
  readonly after?: (run: () => void) => void
}
const away = () => Promise.reject(new TypeError('Failed to fetch'))
const sends =
  (text: string, options: ResponseInit = { headers: { 'Content-Type': 'text/html' } }) =>
  () =>
    Promise.resolve(new Response(text, options))

function servingOf({ answer = away, store = STORE, after = () => undefined }: Host = {}) {
  const used: string[] = []
  const respond = createServing({
    scope: SCOPE,
    workerPolicies: { [WORKER]: "default-src 'none'" },
    caches: store,
    fetch: answer,
    onUse: (url) => used.push(url),
    after,
  })
  return { respond, used }
}

/** A request as a browser makes it: Node makes none that navigate. */
const asked = (path: string, { mode = 'cors', destination = '' } = {}): Request => {
  const request = new Request(new URL(path, SCOPE))
  return Object.defineProperties(request, { mode: { value: mode }, destination: { value: destination } })
}
const navigation = (path: string) => asked(path, { mode: 'navigate', destination: 'document' })
const textOf = async (request: Request, host?: Host) =>
  (await (await servingOf(host).respond(request))?.text()) ?? null

describe('a page', () => {
  it('comes from the host, an answer that the browser has asked for already included', async () => {
    expect(await textOf(navigation('lessons/one/'), { answer: sends('today') })).toBe('today')
    expect(await textOf(navigation('none/'), { answer: sends('none', { status: 404 }) })).toBe('none')
    const preloaded = Promise.resolve(new Response('preloaded'))
    expect(await (await servingOf().respond(navigation(''), preloaded))?.text()).toBe('preloaded')
  })
  it('is the shell of the newest build that is whole, where the host is away, ill or slow', async () => {
    for (const path of ['', 'lessons/one/', 'lessons/one#see', '?from=elsewhere'])
      expect(await textOf(navigation(path))).toBe(shellAt('A'))
    expect(await textOf(navigation(''), { answer: sends('busy', { status: 503 }) })).toBe(shellAt('A'))
    const slow = {
      answer: () => new Promise<never>(() => undefined),
      after: (run: () => void) => run(),
    }
    expect(await textOf(navigation(''), slow)).toBe(shellAt('A'))
    const both = storeOf({
      [`${CACHE}aaaa`]: { 'offline.html': SHELL_OF('A') },
      [`${CACHE}bbbb`]: { 'offline.html': SHELL_OF('B') },
    })
    expect(await textOf(navigation(''), { store: both })).toBe(shellAt('B'))
  })
  it('is a file, where it is one', async () =>
    expect(await textOf(navigation('licences.txt'))).toBe('licences'))
  it('fails as without a service worker, where nothing is stored', async () => {
    const { respond } = servingOf({ store: storeOf({}) })
    await expect(respond(navigation(''))).rejects.toThrow('Failed to fetch')
  })
})

describe('a part', () => {
  it('comes from whichever build has it, else from the host', async () => {
    const host = { answer: sends('of the host') }
    expect(await textOf(asked('assets/one-1.js'), host)).toBe('one of A')
    expect(await textOf(asked('assets/one-2.js'), host)).toBe('one of B')
    expect(await textOf(asked('recordings/r.gz?v=a'), host)).toBe('recorded for A')
    expect(await textOf(asked('recordings/r.gz?v=b'), host)).toBe('of the host')
  })
  it('whose address stays comes from the host first', async () => {
    expect(await textOf(asked('icon.svg'), { answer: sends('new icon') })).toBe('new icon')
    expect(await textOf(asked('icon.svg?1'))).toBe('icon')
  })
  it('that is stored on use is named when the host has sent it', async () => {
    const { respond, used } = servingOf({ answer: sends('big') })
    for (const path of ['assets/big-1.wasm', 'assets/one-1.js', 'assets/one-3.js', 'recordings/r.gz?v=a'])
      await respond(asked(path))
    expect(used).toEqual([`${SCOPE}assets/big-1.wasm`])
  })
})

it.each([
  ['another site', new Request('https://other.test/some/where/x')],
  ['the host’s other paths', new Request('https://lab.test/some/thing')],
  ['what changes something', new Request(SCOPE, { method: 'POST' })],
  ['a part of a file', new Request(`${SCOPE}assets/one-1.js`, { headers: { Range: 'bytes=0-1' } })],
  ['the way to Perfetto', navigation('perfetto.html')],
  ['the way from another site', navigation('open.html')],
  ['itself', new Request(`${SCOPE}sw.js`)],
])('leaves %s to the browser', (_, request) => expect(servingOf().respond(request)).toBe(null))

describe('headers', () => {
  const headersOf = async (request: Request, headers: Readonly<Record<string, string>> = {}) => {
    const answer = sends('text', { headers: { 'Content-Type': 'text/html', ...headers } })
    return (await servingOf({ answer }).respond(request))?.headers
  }
  it('isolate documents and workers of a host that sends none', async () => {
    const page = await headersOf(navigation(''))
    expect(page?.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    expect(page?.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
    expect(page?.get('Permissions-Policy')).toContain('camera=()')
    expect(page?.has('Content-Security-Policy')).toBe(false) // it stands in the page
    const worker = await headersOf(asked(WORKER, { destination: 'worker' }))
    expect(worker?.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
    expect(worker?.get('Content-Security-Policy')).toBe("default-src 'none'")
    expect(worker?.has('Permissions-Policy')).toBe(false)
    const script = await headersOf(asked('assets/one-3.js', { destination: 'script' }))
    expect(script?.has('Cross-Origin-Embedder-Policy')).toBe(false)
  })
  it('that the host sends stand', async () => {
    const worker = await headersOf(asked(WORKER, { destination: 'worker' }), {
      'Cross-Origin-Embedder-Policy': 'credentialless',
      'Content-Security-Policy': "script-src 'self'",
    })
    expect(worker?.get('Cross-Origin-Embedder-Policy')).toBe('credentialless')
    expect(worker?.get('Content-Security-Policy')).toBe("script-src 'self'")
  })
})
