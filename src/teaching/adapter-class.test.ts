import { expect, it } from 'vitest'
import { adapterClass } from './adapter-class'

const of = (vendor: string, architecture: string, isSoftware = false) =>
  adapterClass({
    adapter: { vendor, architecture, device: '', description: '', isFallbackAdapter: isSoftware },
    isSoftware,
  })

it.each([
  ['google', 'swiftshader', true, 'software'],
  ['apple', 'metal-3', false, 'integrated'],
  ['qualcomm', 'adreno-7xx', false, 'integrated'],
  ['nvidia', 'ampere', false, 'discrete'],
  ['intel', 'xe-lpg', false, 'integrated'],
  ['intel', 'gen-9', false, 'integrated'],
  ['intel', 'xe-2hpg', false, 'discrete'],
  ['intel', '', false, 'unknown'],
  // Both kinds of AMD's are RDNA.
  ['amd', 'rdna-3', false, 'unknown'],
  ['', '', false, 'unknown'],
] as const)('%s %s (software: %s) is %s', (vendor, architecture, isSoftware, expected) => {
  expect(of(vendor, architecture, isSoftware)).toBe(expected)
})
