import { describe, expect, it } from 'vitest'
import type { OfflineState } from '../state/offline-store'
import { addressOfFile, isOnUse, SHELL } from './site-files'
import { storeAll } from './storing'

const ROOT = 'https://lab.test/some/where/'
const fileOf = (url: string) => ({ url, bytes: 1, integrity: `sha256-${url}` })
const SCRIPTS = Array.from({ length: 20 }, (_, index) => `assets/${String(index)}.js`)
const files = [SHELL, 'recordings/r.gz?v=1', ...SCRIPTS].map(fileOf)

interface Case {
  readonly stored?: readonly string[]
  readonly wants?: boolean
  readonly room?: number
  readonly fails?: (url: string, abort: () => void) => void
  readonly put?: () => void
}
async function storedIn({ stored = [], wants = false, room = Infinity, fails, put }: Case) {
  const kept = stored.map((url) => ROOT + url)
  const shown: Partial<OfflineState>[] = []
  const quiet: number[] = []
  let ending = new AbortController()
  const whole = await storeAll({
    root: ROOT,
    files,
    cache: {
      keys: () => Promise.resolve(kept.map((url) => new Request(url))),
      put: (url) => {
        put?.()
        kept.push(new Request(url).url)
        return Promise.resolve()
      },
    },
    isWanted: () => wants,
    fetch: (url, { integrity }) => {
      const path = url.slice(ROOT.length)
      expect(integrity).toBe(`sha256-${path}`)
      fails?.(path, () => ending.abort())
      return Promise.resolve(new Response(path))
    },
    room: () => Promise.resolve(room),
    quiet: () => {
      quiet.push(kept.length)
      ending = new AbortController()
      return Promise.resolve(ending.signal)
    },
    show: (state) => shown.push(state),
  })
  return { whole, kept: kept.map((url) => url.slice(ROOT.length)), quiet, shown, last: shown.at(-1) }
}

describe('a build is stored', () => {
  it('a few files at a time, each when nothing is measured, the shell last', async () => {
    const { whole, kept, quiet, shown, last } = await storedIn({})
    expect(whole).toBe(true)
    expect(kept).toEqual([...SCRIPTS, SHELL])
    expect(quiet).toEqual([0, 8, 16, 20])
    expect(shown.map(({ phase }) => phase)).toEqual(['storing', 'storing', 'storing', 'storing', 'ready'])
    expect(last).toEqual({ phase: 'ready', bytes: 21, storedBytes: 21, allBytes: 22 })
  })
  it('with what is stored on use only where it is wanted', async () => {
    const { kept, last } = await storedIn({ stored: [...SCRIPTS, SHELL], wants: true })
    expect(kept.at(-1)).toBe('recordings/r.gz?v=1')
    expect(last).toMatchObject({ phase: 'ready', storedBytes: 22 })
  })
  it('on after a run, which ends a step and no more', async () => {
    let isFirst = true
    const fails = (url: string, abort: () => void) => {
      if (url !== SHELL || !isFirst) return
      isFirst = false
      abort()
      throw new DOMException('ended', 'AbortError')
    }
    const { whole, quiet } = await storedIn({ fails })
    expect(whole).toBe(true)
    expect(quiet).toEqual([0, 8, 16, 20, 20])
  })
  it('not further where the host has another build: it is not whole', async () => {
    const fails = (url: string) => {
      if (url === 'assets/19.js') throw new TypeError('Failed integrity check')
    }
    const { whole, kept, last } = await storedIn({ fails })
    expect(whole).toBe(false)
    expect(kept).not.toContain(SHELL)
    expect(last).toEqual({ phase: 'unreachable' })
  })
  it('not begun where there is no room, and ended where it runs out', async () => {
    const { whole, kept, last } = await storedIn({ room: 20 })
    expect([whole, kept, last]).toEqual([false, [], { phase: 'no-room' }])
    const put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    expect((await storedIn({ put })).last).toEqual({ phase: 'no-room' })
  })
})

it.each([
  ['offline.html', 'at once'],
  ['assets/one-1.js', 'at once'],
  ['thumbnails/one.svg', 'at once'],
  ['assets/lib-1.wasm', 'on use'],
  ['assets/CodeEditor-1.js', 'on use'],
  ['companion/ranks.py', 'on use'],
  ['recordings/one/step.hdl.gz', 'on use'],
  ['index.html', 'never'],
  ['lessons/one/index.html', 'never'],
  ['perfetto.html', 'never'],
  ['open.html', 'never'],
  ['_headers', 'never'],
  ['sw.js', 'never'],
  ['build.json', 'never'],
  ['preview.png', 'never'],
  ['assets/one-1.js.map', 'never'],
  ['assets/offline-1.json', 'never'],
  ['assets/open-C09mt_y0.js', 'never'],
  ['assets/open-files-C09mt_y0.js', 'at once'],
  ['recordings/README.md', 'never'],
  ['recordings/profiles/profiles.json', 'never'],
])('of a site, %s is stored %s', (path, when) => {
  const url = addressOfFile(path, '1a')
  expect(url === null ? 'never' : isOnUse(url) ? 'on use' : 'at once').toBe(when)
  if (url !== null) expect(url).toBe(path.startsWith('recordings/') ? `${path}?v=1a` : path)
})
