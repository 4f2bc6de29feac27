/** A file is held against the browser's memory before it is read. */
import { afterEach, expect, it, vi } from 'vitest'
import { pageBudget, sourceOfBlob } from './opened-file'

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  [undefined, 2 ** 30],
  [4, 2 ** 30],
  [8, 2e9],
])('a page with %s GiB reads %i bytes', (deviceMemory, bytes) => {
  vi.stubGlobal('navigator', { deviceMemory })
  expect(pageBudget().left('bytes')).toBe(bytes)
})

it('a file that is refused says what it would take, and what to do', () => {
  const blob = Object.defineProperty(new Blob(['{}']), 'size', { value: 5e9 })
  const read = sourceOfBlob(blob, pageBudget())
  const fault = read.ok ? null : read.error
  expect(fault?.message).toBe(
    'The file is too large: 5,000,000,000 bytes, where at most 1,073,741,824 are read.',
  )
  expect(fault?.hint).toMatch(
    /^Reading it would take about 9\.31 GiB of memory\. Record fewer steps.*lab -- analyze FILE/,
  )
})
