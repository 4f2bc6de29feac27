import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matmulKernels, type MatmulShape } from '../catalog'
import { listCandidates, type Candidate } from './candidates'
import { cacheKey, decodeChoice, encodeChoice } from './cache'

const ADAPTER = { vendor: 'v', architecture: 'a', device: '', description: '', isFallbackAdapter: false }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.7000.1 Safari/537.36'
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
    const edited: Candidate = {
      ...one,
      kernel: { ...one.kernel, source: { code: 'fn main() {}', locate: () => '' } },
    }
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
