/**
 * Gradings of all programs of a mend, whole, as e2e/mends-all.spec.ts records them on a real device: what goes from that machine to this one.
 * kept-gradings.ts makes of them what stays in the repository.
 */
import { deserialize, serialize } from 'node:v8'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Automation } from '../../state/automation'

export type RecordedEvidence = Awaited<ReturnType<Automation['lastEvidence']>>

/** By program: 'start', 'reference', or a cheat's name. */
export type Recorded = Readonly<Record<string, RecordedEvidence>>

/** v8's own format: NaN, undefined and typed arrays are kept, as they are between realms. */
export const pack = (value: unknown): Uint8Array =>
  brotliCompressSync(serialize(value), {
    params: {
      // Wide enough that one program's numbers are found again in the next one's: all had the same seed.
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    },
  })
export const unpack = (bytes: Uint8Array): unknown => deserialize(brotliDecompressSync(bytes))

export const packRecorded = (gradings: Recorded): Uint8Array => pack(gradings)
// Written by packRecorded, and by nobody else.
export const unpackRecorded = (bytes: Uint8Array): Recorded => unpack(bytes) as Recorded
