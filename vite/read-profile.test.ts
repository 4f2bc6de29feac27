import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readProfile, type Profile } from './profile'

const folder = new URL('../../../public/recordings/', import.meta.url)
async function read(file: string): Promise<Profile> {
  const profile = await readProfile(readFileSync(new URL(file, folder)), 'recorded')
  if (!profile.ok) throw new Error(profile.error.message)
  return profile.value
}
/**
 * Beside an experiment: those of several ranks are asked together (analysis/ranks/recorded.test.ts), those that a lesson is made of by
 * what it asks of them (profile-answer.test.ts).
 */
const files = readdirSync(folder).filter((name) => /^torch-(?!nccl-|read-a-profile-).*\.json\.gz$/.test(name))

describe('recorded profiles', () => {
  it.each(files)('%s says where it is from, and how busy the device was', async (file) => {
    const { placed, device, figures, gaps, causes, origin } = await read(file)
    const isOfCpu = file === 'torch-worth-it-cpu.json.gz'
    expect(placed.trace.info).toMatchObject({
      origin: 'recorded',
      adapter: isOfCpu ? null : { description: 'NVIDIA H200' },
    })
    expect(origin.device).toBe(isOfCpu ? '' : 'NVIDIA H200')
    expect(origin.date).toBe(placed.trace.info.startedAt)
    expect(origin.software).toMatch(/^PyTorch \d+\.\d+\S*, CUDA \d+\.\d+$/)
    expect(Date.parse(placed.trace.info.startedAt)).toBeGreaterThan(Date.UTC(2026, 0))
    expect(figures.stepMs).toBeGreaterThan(0)
    expect(device === null).toBe(isOfCpu)
    if (isOfCpu) return
    // Rounding apart.
    expect(figures.kernelRatio).toBeLessThanOrEqual((figures.busyRatio ?? 0) * (1 + 1e-12))
    expect(figures.busyRatio).toBeLessThanOrEqual(1)
    expect(figures.kernelMs).toBeGreaterThan(0)
    const idleUs = (device?.spanUs ?? 0) - (device?.busyUs ?? 0)
    expect(causes.reduce((sum, { us }) => sum + us, 0)).toBeCloseTo(idleUs, 3)
    expect(gaps.reduce((sum, { durationNs }) => sum + durationNs, 0) / 1e3).toBeCloseTo(idleUs, 3)
  })

  it('show what the scripts were written to show', async () => {
    const kernels = async (file: string) =>
      (await read(`torch-${file}.json.gz`)).figures.kernelRatio ?? Number.NaN
    expect(await kernels('sync-stalls-stalled')).toBeLessThan(await kernels('sync-stalls-mended'))
    expect(await kernels('async-submission-awaited')).toBeLessThan(await kernels('async-submission-queued'))
    const uploads = await Promise.all(
      ['pageable', 'pinned', 'overlapped'].map(async (way) => await kernels(`overlapped-uploads-${way}`)),
    )
    expect(uploads).toEqual(uploads.toSorted((a, b) => a - b))
    expect(await kernels('overlapped-uploads-ring-2')).toBeGreaterThan(
      await kernels('overlapped-uploads-serial'),
    )
    const hidden = async (way: string) =>
      (await read(`torch-overlapped-uploads-${way}.json.gz`)).figures.hiddenCopyRatio
    // One stream runs one thing at a time; two do not.
    expect(await hidden('ring-2')).toBe(0)
    expect(await hidden('overlapped')).toBeGreaterThan(0.5)
    expect((await read('torch-async-submission-queued.json.gz')).figures.hiddenCopyRatio).toBeNull()
    const stalled = await read('torch-sync-stalls-stalled.json.gz')
    expect(stalled.causes[0]?.cause).toBe('read-back')
  })

  it('that cannot be read are a value with the reason', async () => {
    expect(await readProfile(new TextEncoder().encode('no trace'), 'recorded')).toMatchObject({
      ok: false,
      error: { code: 'file' },
    })
    const empty = await readProfile(
      new TextEncoder().encode('[{"ph":"X","name":"a","ts":1,"dur":1}]'),
      'imported',
    )
    expect(empty).toMatchObject({
      ok: true,
      value: {
        device: null,
        origin: { device: '', date: '', software: '' },
        figures: {
          kernelMs: null,
          launchUs: null,
          hiddenCopyRatio: null,
          kernelRatio: null,
          busyRatio: null,
          stepMs: null,
        },
      },
    })
  })
})
