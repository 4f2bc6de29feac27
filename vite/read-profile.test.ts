import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readProfile } from './read-profile'

const folder = new URL('../public/recordings/', import.meta.url)
const read = (file: string) => readProfile(readFileSync(new URL(file, folder)), 'recorded')
/**
 * Beside an experiment: those of several ranks are asked together
 * (src/analysis/ranks/recorded.test.ts), those that a lesson is made of by what it asks of them
 * (src/site/state/profile-answer.test.ts).
 */
const files = readdirSync(folder).filter((name) => /^torch-(?!nccl-|read-a-profile-).*\.json\.gz$/.test(name))

describe('recorded profiles', () => {
  it.each(files)('%s says where it is from, and how busy the device was', async (file) => {
    const { placed, device, kernelRatio, stepMs, gaps, origin } = await read(file)
    const isOfCpu = file === 'torch-worth-it-cpu.json.gz'
    expect(placed.trace.info).toMatchObject({
      origin: 'recorded',
      adapter: isOfCpu ? null : { description: 'NVIDIA H200' },
    })
    expect(origin.device).toBe(isOfCpu ? '' : 'NVIDIA H200')
    expect(origin.date).toBe(placed.trace.info.startedAt)
    expect(origin.software).toMatch(/^PyTorch \d+\.\d+\S*, CUDA \d+\.\d+$/)
    expect(Date.parse(placed.trace.info.startedAt)).toBeGreaterThan(Date.UTC(2026, 0))
    expect(stepMs).toBeGreaterThan(0)
    expect(device === null).toBe(isOfCpu)
    if (isOfCpu) return
    // Rounding apart.
    expect(kernelRatio).toBeLessThanOrEqual((device?.busyRatio ?? 0) * (1 + 1e-12))
    expect(device?.busyRatio).toBeLessThanOrEqual(1)
    const idleUs = (device?.spanUs ?? 0) - (device?.busyUs ?? 0)
    expect(gaps.reduce((sum, { durationNs }) => sum + durationNs, 0) / 1e3).toBeCloseTo(idleUs, 3)
  })

  it('show what the scripts were written to show', async () => {
    const kernels = async (file: string) => (await read(`torch-${file}.json.gz`)).kernelRatio ?? Number.NaN
    expect(await kernels('sync-stalls-stalled')).toBeLessThan(await kernels('sync-stalls-mended'))
    expect(await kernels('async-submission-awaited')).toBeLessThan(await kernels('async-submission-queued'))
    const uploads = await Promise.all(
      ['pageable', 'pinned', 'overlapped'].map(async (way) => await kernels(`overlapped-uploads-${way}`)),
    )
    expect(uploads).toEqual(uploads.toSorted((a, b) => a - b))
    expect(await kernels('overlapped-uploads-ring-2')).toBeGreaterThan(
      await kernels('overlapped-uploads-serial'),
    )
  })

  it('are refused where nothing can be read, and have no figures of what is not there', async () => {
    const text = (content: string) => new TextEncoder().encode(content)
    await expect(readProfile(text('no trace'), 'recorded')).rejects.toThrow()
    expect(await readProfile(text('[{"ph":"X","name":"a","ts":1,"dur":1}]'), 'imported')).toMatchObject({
      device: null,
      kernelRatio: null,
      stepMs: null,
      origin: { device: '', date: '', software: '' },
    })
  })
})
