import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Results } from '../matmul-results'
import { fastestMatmul } from './fastest'

const LIMITS = {
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupStorageSize: 49152,
}
const nameFor = ([m, n, k]: readonly [number, number, number], limits: object = {}) => {
  const shape = { m, n, k, alpha: 1, accumulate: false }
  const device = { limits: { ...LIMITS, ...limits }, isSoftware: false }
  const kernel = fastestMatmul(shape, device)
  return `${kernel.id} ${kernel.tileFor(shape).name}`
}

it('is what the published table was measured with', () => {
  const file = readFileSync('bench/results/h200-2026-11-27.json', 'utf8')
  const rows = (JSON.parse(file) as Results).rows.filter(({ library }) => library === 'lab')
  expect(rows.map(({ shape }) => nameFor(shape))).toEqual(rows.map(({ kernel }) => kernel))
})

it('takes what fits a device with little workgroup memory', () => {
  const small = { maxComputeWorkgroupStorageSize: 16384, maxComputeInvocationsPerWorkgroup: 256 }
  expect(nameFor([512, 512, 512], small)).toBe('specialised 32×64×16 across, k in 2')
  expect(nameFor([64, 4096, 4096], small)).toBe('specialised 128×128×16 across')
  expect(nameFor([1, 4096, 4096], small)).toBe('vector-matrix 1×32×128')
})
