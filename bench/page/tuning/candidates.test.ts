import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matmulKernels, type MatmulShape } from '../../../src/gpu/kernels/catalog'
import { listCandidates } from './candidates'

const LARGE = {
  limits: {
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupStorageSize: 49152,
    maxComputeWorkgroupsPerDimension: 65535,
  },
  features: [],
  isSoftware: false,
}
const SMALLEST = { limits: {}, features: [], isSoftware: false }
const shapeOf = (m: number, n: number, k: number): MatmulShape => ({ m, n, k, alpha: 1, accumulate: false })
const size = fc.integer({ min: 1, max: 8192 })
const everyTile = matmulKernels.reduce((count, { tiles }) => count + tiles.length, 0)

it('lists only what the device supports and what suits the shape, and says of the rest why not', () => {
  fc.assert(
    fc.property(size, size, size, fc.constantFrom(LARGE, SMALLEST), (m, n, k, device) => {
      const shape = shapeOf(m, n, k)
      const { candidates, refused } = listCandidates(matmulKernels, device, shape)
      expect(candidates.length).toBeGreaterThan(0)
      for (const { kernel } of candidates) {
        expect(kernel.supports(device, shape)).toBeNull()
        expect(kernel.suits(shape, device)).toBe(true)
        expect(kernel.tileFor(shape).forSoftware).toBe(undefined)
      }
      for (const { kernel, reason } of refused) expect(kernel.supports(device, shape)).toBe(reason)
      const labels = [...candidates, ...refused].map(({ label }) => label)
      expect(new Set(labels).size).toBe(labels.length)
      expect(labels.length).toBeLessThanOrEqual(everyTile)
    }),
  )
})

it('never tries the naive kernels on large matrices, but where nothing else runs it does', () => {
  const large = shapeOf(4096, 4096, 4096)
  const ids = listCandidates(matmulKernels, LARGE, large).candidates.map(({ kernel }) => kernel.id)
  expect(ids).not.toContain('naive')
  expect(ids).not.toContain('coalesced')
  const simple = matmulKernels.filter(({ id }) => id === 'naive' || id === 'coalesced')
  expect(listCandidates(simple, LARGE, large).candidates).toHaveLength(2)
  expect(listCandidates([], LARGE, large).candidates).toEqual([])
})

describe('the order of trials', () => {
  const first = (m: number, n: number, k: number) =>
    listCandidates(matmulKernels, LARGE, shapeOf(m, n, k)).candidates[0]?.kernel.tileFor(shapeOf(m, n, k))

  it('begins with large tiles where they fill the device, with smaller ones where they would not', () => {
    const area = (tile: ReturnType<typeof first>) => (tile?.rows ?? 0) * (tile?.columns ?? 0)
    expect(area(first(4096, 4096, 4096))).toBeGreaterThanOrEqual(128 * 128)
    expect(area(first(512, 512, 512))).toBeLessThan(128 * 128)
  })

  it('begins with parts of k where C has few tiles and k is long, and tries them nowhere else', () => {
    const parts = (m: number, n: number, k: number) =>
      listCandidates(matmulKernels, LARGE, shapeOf(m, n, k)).candidates.map(
        ({ kernel }) => kernel.tileFor(shapeOf(m, n, k)).parts,
      )
    expect(parts(64, 4096, 4096)[0]).toBe(16)
    expect(parts(32, 32, 4194304)[0]).toBe(128)
    for (const [m, n, k] of [
      [64, 4096, 512],
      [32, 32, 16384],
      [512, 512, 512],
      [4096, 4096, 4096],
      [1, 4096, 4096],
    ] as const)
      expect(new Set(parts(m, n, k)), `${String(m)} × ${String(n)} × ${String(k)}`).toEqual(
        new Set([undefined]),
      )
  })

  it('does not begin with tiles that would mostly pad', () => {
    for (const [m, n] of [
      [64, 4096],
      [4096, 64],
      [8, 4096],
    ] as const) {
      const [best] = listCandidates(matmulKernels, LARGE, shapeOf(m, n, 4096)).candidates
      expect(best?.padding, `${String(m)} × ${String(n)}`).toBeLessThanOrEqual(4)
    }
  })
})
