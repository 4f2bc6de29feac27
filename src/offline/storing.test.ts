import { describe, expect, it } from 'vitest'
import type { OfflineState } from '../state/offline-store'
import { buildLock, buildsIn, type OfflineStatus } from './protocol'
import { addressOfFile } from './site-files'
import { mayReload, storeAll } from './storing'

const status = (part: Partial<OfflineStatus>): OfflineStatus => ({
  build: 'b',
  isWhole: false,
  bytes: 10,
  storedBytes: 0,
  onUseBytes: 5,
  onUseStoredBytes: 0,
  ended: null,
  ...part,
})

async function shownFor(answers: readonly (OfflineStatus | null)[]) {
  const left = [...answers]
  const shown: Partial<OfflineState>[] = []
  const order: string[] = []
  await storeAll({
    ask: ({ kind }) => {
      order.push(kind)
      const answer = left.shift()
      if (answer === undefined) throw new Error('asked once more than needed')
      return Promise.resolve(answer)
    },
    quiet: () => {
      order.push('quiet')
      return Promise.resolve()
    },
    show: (state) => shown.push(state),
  })
  expect(left).toEqual([])
  return { phases: shown.map(({ phase }) => phase), order }
}

describe('a build is stored', () => {
  it('step by step, each when nothing is measured, until nothing more comes', async () => {
    const wholly = status({ isWhole: true, storedBytes: 10 })
    const { phases, order } = await shownFor([status({ storedBytes: 4 }), wholly, wholly])
    expect(phases).toEqual(['storing', 'ready', 'ready'])
    expect(order).toEqual(['quiet', 'store', 'quiet', 'store', 'quiet', 'store'])
  })
  it('on after a pause, which is no end', async () => {
    const wholly = status({ isWhole: true, storedBytes: 10 })
    const { phases } = await shownFor([
      status({ ended: 'paused' }),
      status({ ended: 'paused' }),
      wholly,
      wholly,
    ])
    expect(phases).toEqual(['storing', 'storing', 'ready', 'ready'])
  })
  it.each([
    ['no-room', status({ ended: 'no-room' })],
    ['unreachable', status({ ended: 'unreachable', storedBytes: 4 })],
    ['unreachable', null],
  ] as const)('not further where it is %s', async (phase, answer) => {
    expect((await shownFor([answer])).phases).toEqual([phase])
  })
})

it('a page is loaded again to be isolated once, at the top, and before any input', () => {
  const fresh = { isIsolated: false, isTop: true, hadInput: false, wasReloaded: false }
  expect(mayReload(fresh)).toBe(true)
  for (const change of [{ isIsolated: true }, { isTop: false }, { hadInput: true }, { wasReloaded: true }])
    expect(mayReload({ ...fresh, ...change })).toBe(false)
})

it('a tab says by a lock of which build it is', () => {
  const locks = {
    held: [
      { name: buildLock('abc'), mode: 'shared' },
      { name: 'host-device-lab:measuring', mode: 'exclusive' },
      {},
    ],
    pending: [
      { name: buildLock('def'), mode: 'shared' },
      // One that waits for the last of its tabs.
      { name: buildLock('ghi'), mode: 'exclusive' },
    ],
  } satisfies LockManagerSnapshot
  expect([...buildsIn(locks)]).toEqual(['abc', 'def'])
})

it.each([
  ['index.html', { url: '' }],
  ['lessons/one/index.html', { url: 'lessons/one/' }],
  ['404.html', { url: '404.html' }],
  ['recordings/one/step.hdl.gz', { url: 'recordings/one/step.hdl.gz?v=1a' }],
  ['assets/lib-1.wasm', { url: 'assets/lib-1.wasm', onUse: true }],
  ['companion/ranks.py', { url: 'companion/ranks.py' }],
  ['perfetto.html', null],
  ['_headers', null],
  ['sw.js', null],
  ['build.json', null],
  ['sitemap.xml', null],
  ['llms.txt', null],
  ['preview.png', null],
  ['previews/one.png', null],
  ['assets/one-1.js.map', null],
  ['recordings/README.md', null],
  ['recordings/profiles/profiles.json', null],
  [
    'recordings/profiles/vit_norms.json.gz',
    { url: 'recordings/profiles/vit_norms.json.gz?v=1a', onUse: true },
  ],
])('of a site, %s is stored as %j', (path, address) => {
  expect(addressOfFile(path, '1a')).toEqual(address)
})
