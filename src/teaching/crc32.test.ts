import { crc32 as ofZlib } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32 } from './crc32'

it('is the CRC-32 of gzip', () => {
  // The check value of the catalogue of parametrised CRC algorithms.
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf4_3926)
  if (typeof ofZlib === 'function')
    fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === ofZlib(bytes)))
})
