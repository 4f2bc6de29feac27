/**
 * Recorded profiles as strips: what is drawn is what the profile's own figures say, and all have
 * one scale.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { total, union } from '../analysis/intervals'
import { idleOf } from './excerpt'
import { excerptOfProfiles } from './of-profiles'
import { readProfile } from '../../vite/read-profile'

type Profile = Awaited<ReturnType<typeof readProfile>>

const RECORDINGS = new URL('../../public/recordings/', import.meta.url)

async function named(name: string): Promise<{ readonly name: string; readonly profile: Profile }> {
  const bytes = readFileSync(new URL(`torch-${name}.json.gz`, RECORDINGS))
  return { name, profile: await readProfile(bytes, 'recorded') }
}

const NAMES = ['sync-stalls-stalled', 'sync-stalls-mended', 'overlapped-uploads-overlapped']

describe.each(NAMES)('%s', (name) =>
  it('drawn whole, computes as long as its figure says, and idles in the rest', async () => {
    const { profile } = await named(name)
    const { strips, lengthNs } = excerptOfProfiles([{ name, profile }], Number.MAX_SAFE_INTEGER)
    const [strip] = strips
    const bars = (strip?.rows ?? []).filter(({ kind }) => kind === 'device').flatMap((row) => row.bars)
    const lengthOf = (all: readonly { readonly startNs: number; readonly endNs: number }[]) =>
      total(union(all.map(({ startNs, endNs }) => ({ start: startNs, end: endNs }))))
    const spanNs = lengthNs - Math.min(...bars.map(({ startNs }) => startNs))
    const { kernelRatio, device } = profile
    expect(lengthOf(bars.filter(({ kind }) => kind === 'compute')) / spanNs).toBeCloseTo(kernelRatio ?? 0, 4)
    expect(lengthOf(strip ? idleOf(strip) : []) / spanNs).toBeCloseTo(1 - (device?.busyRatio ?? 0), 4)
    expect(strip?.stepsEnded).toBeGreaterThan(1)
    expect(Math.min(...bars.map(({ step }) => step))).toBe(0)
  }),
)

it('the slowest sets the scale of all, and nothing is drawn beyond it', async () => {
  const both = await Promise.all(NAMES.slice(0, 2).map(named))
  const { lengthNs, strips } = excerptOfProfiles(both, 3)
  expect(strips.map(({ stepsEnded }) => stepsEnded)).toEqual([3, expect.any(Number)])
  expect(strips[1]?.stepsEnded).toBeGreaterThanOrEqual(3)
  for (const strip of strips)
    for (const { startNs, endNs } of [...strip.rows.flatMap(({ bars }) => bars), ...idleOf(strip)]) {
      expect(startNs).toBeLessThan(lengthNs)
      expect(endNs).toBeLessThanOrEqual(lengthNs)
    }
})

it('of the host the outermost calls are drawn, and waits within them', async () => {
  const { strips } = excerptOfProfiles([await named('sync-stalls-stalled')], 3)
  const host = strips[0]?.rows.find(({ kind }) => kind === 'host')?.bars ?? []
  const waits = host.filter(({ kind }) => kind === 'host-wait')
  expect(waits.map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'cudaStreamSynchronize'))
  const calls = host.filter(({ kind }) => kind !== 'host-wait')
  expect(calls.every(({ endNs }, at) => endNs <= (calls[at + 1]?.startNs ?? Infinity))).toBe(true)
  for (const wait of waits)
    expect(calls.some((call) => call.startNs <= wait.startNs && call.endNs >= wait.endNs)).toBe(true)
})
