/** A file is held against the browser's memory before it is read. */
import { expect, it, vi } from 'vitest'
import { pageBudget, sourceOfBlob } from './opened-file'

it.each([
  [undefined, 2 ** 30],
  [4, 2 ** 30],
  [8, 2e9],
])('a page with %s GiB reads %i bytes', (deviceMemory, bytes) => {
  vi.stubGlobal('navigator', { deviceMemory })
  expect(pageBudget().left('bytes')).toBe(bytes)
})

it.each([true, false])('a file that is read whole comes in parts, shared: %s', async (isIsolated) => {
  vi.stubGlobal('crossOriginIsolated', isIsolated)
  const made = Uint8Array.from({ length: 2 ** 24 + 3 }, (_, at) => at % 251)
  const source = sourceOfBlob(new Blob([made]), pageBudget())
  if (!source.ok) throw new Error(source.error.message)
  const read = await source.value.read(1, made.length + 9)
  expect(read.buffer instanceof SharedArrayBuffer).toBe(isIsolated)
  expect(Buffer.compare(read, made.subarray(1))).toBe(0)
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
