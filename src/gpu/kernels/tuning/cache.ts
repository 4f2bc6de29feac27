/**
 * Remembers a tuner's results between visits. The key names adapter, browser, kernels and class of
 * shape, so any change that may alter the fastest kernel makes another key. Entries are validated
 * when read: an illegible one counts as absent.
 */
import type { MatmulShape } from '../catalog'
import { kernelCall } from '../kernel'
import type { AdapterSummary } from '../../../trace/schema'
import type { Candidate } from './candidates'

/**
 * Keeps a choice beyond the page, by a key that names adapter, browser version, kernel version and
 * class of shape.
 */
export interface TuningCache {
  readonly get: (key: string) => Promise<string | undefined>
  readonly set: (key: string, value: string) => Promise<void>
}

export interface CachedChoice {
  /** The candidate's label. */
  readonly label: string
  /** Time then, ms, with the shape of its trials. */
  readonly ms: number
}

const VERSION = 2

/**
 * Sizes within a factor of √2 of each other fall into one or two classes: a tile's fit changes
 * little in between.
 */
const CLASSES_PER_DOUBLING = 2

/**
 * One shape for all that are so near it that one kernel serves them, and whose rows begin at
 * vectors of four where its rows do.
 */
function classOf({ m, n, k, alpha, accumulate }: MatmulShape): MatmulShape {
  const rounded = (size: number) =>
    Math.round(2 ** (Math.round(CLASSES_PER_DOUBLING * Math.log2(size)) / CLASSES_PER_DOUBLING))
  const aligned = (size: number) => 4 * Math.ceil(rounded(size) / 4) - Number(size % 4 !== 0)
  return { m: rounded(m), n: aligned(n), k: aligned(k), alpha, accumulate }
}

/**
 * Product and major version: updates in between seldom bring another compiler. Where the name is
 * unknown, all of it.
 */
const browserVersion = (userAgent: string): string =>
  /(?:Edg|Chrome|Firefox|Version)\/\d+/.exec(userAgent)?.[0] ?? userAgent

/**
 * SHA-256 of all that decides what the candidates run with a shape: their WGSL, constants and
 * workgroups.
 */
async function hashOf(candidates: readonly Candidate[], shape: MatmulShape): Promise<string> {
  const calls = candidates.map(({ label, kernel }) => {
    const { code, entryPoint, constants, workgroups } = kernelCall(kernel.forShape(shape), shape)
    return [label, code, entryPoint, constants, workgroups]
  })
  const bytes = new TextEncoder().encode(JSON.stringify(calls.toSorted()))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function cacheKey(
  adapter: AdapterSummary,
  userAgent: string,
  candidates: readonly Candidate[],
  shape: MatmulShape,
): Promise<string> {
  const { vendor, architecture, device, description } = adapter
  const nearby = classOf(shape)
  const { m, n, k, accumulate } = nearby
  return JSON.stringify([
    VERSION,
    [vendor, architecture, device, description],
    browserVersion(userAgent),
    await hashOf(candidates, nearby),
    [m, n, k, accumulate],
  ])
}

export const encodeChoice = ({ label, ms }: CachedChoice): string => JSON.stringify({ label, ms })

/** null for anything that is not what writeRemembered writes. */
export function decodeChoice(text: string | undefined): CachedChoice | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { label, ms } = value as Record<string, unknown>
    return typeof label === 'string' && typeof ms === 'number' && ms > 0 && Number.isFinite(ms)
      ? { label, ms }
      : null
  } catch {
    return null // not JSON: someone else's, or cut short
  }
}
