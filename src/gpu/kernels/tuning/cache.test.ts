import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { matmulKernels, type MatmulKernel, type MatmulShape } from '../catalog'
import { listCandidates, type Candidate } from './candidates'
import { cacheKey, decodeChoice, encodeChoice } from './cache'

const ADAPTER = { vendor: 'v', architecture: 'a', device: '', description: '', isFallbackAdapter: false }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.7000.1 Safari/537.36'
const IN_KEY = v.tuple([
  v.unknown(),
  v.unknown(),
  v.unknown(),
  v.unknown(),
  v.tuple([v.number(), v.number(), v.number(), v.boolean()]),
])
const SHAPE: MatmulShape = { m: 64, n: 64, k: 64, alpha: 1, accumulate: true }
const DEVICE = { limits: {}, features: [], isSoftware: false }
const { candidates } = listCandidates(matmulKernels, DEVICE, SHAPE)

describe('the key', () => {
  it('is the same for the same, in whatever order the candidates stand', async () => {
    const key = await cacheKey(ADAPTER, CHROME, candidates, SHAPE)
    expect(await cacheKey({ ...ADAPTER }, CHROME, candidates.toReversed(), { ...SHAPE })).toBe(key)
    expect(await cacheKey(ADAPTER, CHROME.replace('.7000.1', '.7001.9'), candidates, SHAPE)).toBe(key)
  })

  it('differs with adapter, browser, shape, and the code of any candidate', async () => {
    const [one, ...others] = candidates
    if (!one) throw new Error('no candidates')
    const kernel: MatmulKernel = {
      ...one.kernel,
      source: { code: 'fn main() {}', locate: () => '' },
      forShape: () => kernel,
    }
    const edited: Candidate = { ...one, kernel }
    const keys = await Promise.all([
      cacheKey(ADAPTER, CHROME, candidates, SHAPE),
      cacheKey({ ...ADAPTER, architecture: 'b' }, CHROME, candidates, SHAPE),
      cacheKey({ ...ADAPTER, description: 'a driver' }, CHROME, candidates, SHAPE),
      cacheKey(ADAPTER, CHROME.replace('Chrome/156', 'Chrome/157'), candidates, SHAPE),
      cacheKey(ADAPTER, CHROME, candidates, { ...SHAPE, k: 65 }),
      cacheKey(ADAPTER, CHROME, candidates, { ...SHAPE, accumulate: false }),
      cacheKey(ADAPTER, CHROME, [edited, ...others], SHAPE),
      cacheKey(ADAPTER, CHROME, others, SHAPE),
    ])
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the class of a shape', () => {
  const anySize = fc.integer({ min: 1, max: 16384 })
  const anyShape = fc.record({
    m: anySize,
    n: anySize,
    k: anySize,
    alpha: fc.constant(1),
    accumulate: fc.boolean(),
  })

  /** By the key: what the class of a shape multiplies. */
  const classOf = async (shape: MatmulShape) => {
    const [m, n, k] = v.parse(IN_KEY, JSON.parse(await cacheKey(ADAPTER, CHROME, [], shape)))[4]
    return { m, n, k }
  }

  it('is near it, and has its rows of four', async () => {
    await fc.assert(
      fc.asyncProperty(anyShape, async (shape) => {
        const nearby = await classOf(shape)
        expect([nearby.n % 4 === 0, nearby.k % 4 === 0]).toEqual([shape.n % 4 === 0, shape.k % 4 === 0])
        for (const size of ['m', 'n', 'k'] as const) {
          // A quarter of a doubling, what is rounded to whole numbers, and to the next four.
          const apart = Math.abs(nearby[size] - shape[size])
          expect(apart).toBeLessThanOrEqual((2 ** 0.25 - 1) * shape[size] + 4.5)
        }
      }),
    )
  })

  it('shares what is remembered', async () => {
    const large = { ...SHAPE, m: 4096, n: 4096, k: 4096 }
    const key = await cacheKey(ADAPTER, CHROME, candidates, large)
    expect(await cacheKey(ADAPTER, CHROME, candidates, { ...large, m: 4000, k: 4400 })).toBe(key)
    for (const other of [{ m: 2896 }, { k: 4095 }, { n: 4094 }])
      expect(await cacheKey(ADAPTER, CHROME, candidates, { ...large, ...other })).not.toBe(key)
  })
})

it('knows browsers by product and major version', async () => {
  for (const [userAgent, version] of [
    [CHROME, 'Chrome/156'],
    ['Mozilla/5.0 (X11; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox/150'],
    ['AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15', 'Version/26'],
    ['something else', 'something else'],
  ] as const)
    expect(await cacheKey(ADAPTER, userAgent, candidates, SHAPE)).toBe(
      await cacheKey(ADAPTER, version, candidates, SHAPE),
    )
})

describe('what is read back', () => {
  it('is what was written', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (label, ms) => {
        expect(decodeChoice(encodeChoice({ label, ms }))).toEqual({ label, ms })
      }),
    )
  })

  it('counts as nothing where it is anything else', () => {
    for (const text of [
      undefined,
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"label":3,"ms":1}',
      '{"label":"a","ms":"1"}',
    ])
      expect(decodeChoice(text)).toBeNull()
    for (const ms of ['0', '-1', '1e999', 'null'])
      expect(decodeChoice(`{"label":"a","ms":${ms}}`), ms).toBeNull()
    fc.assert(
      fc.property(fc.json(), (text) => {
        const read = decodeChoice(text)
        expect(read === null || (typeof read.label === 'string' && read.ms > 0)).toBe(true)
      }),
    )
  })
})
