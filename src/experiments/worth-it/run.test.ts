/** A whole run on the model: programs, checks and metrics together; and one with its work or its uploads taken out. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ModelBuffer } from '../../model/buffer'
import { Machine } from '../../model/machine'
import { processorOf } from '../../model/processor'
import { softwareCard } from '../../model/testing/machines'
import { runOnModel } from '../../model/testing/run-on-model'
import { findMetric, type Report } from '../../trace/report'

let machine: Machine
vi.mock('../../gpu/kernels/cpu/processor', () => ({
  openProcessor: () => Promise.resolve(processorOf(machine)),
}))

afterEach(() => void vi.restoreAllMocks())

/** Runs it; `keep` says which of the device's products take place, from 1. */
async function run(keep: (product: number) => boolean): Promise<Report> {
  machine = new Machine(softwareCard)
  let products = 0
  machine.runs = (kernel) => !kernel.startsWith('matmul/') || keep((products += 1))
  return await runOnModel(machine, 'worth-it', { sizes: ['16', '32'], uses: 2, repeats: 2, kernel: 'tiled' })
}

describe('a run of worth-it', () => {
  it('checks every product and every transfer, and reads its figures off the trace', async () => {
    const report = await run(() => true)
    expect(report.verification).toMatchObject({ failed: 0 })
    expect(report.validity.reasons).toEqual([])
    const value = (name: string, variant: string) => findMetric(report.metrics, name, variant)?.value ?? null
    for (const n of [16, 32]) {
      for (const place of ['cpu', 'round-trip', 'resident'])
        expect(value('time-ms', `${place}-${String(n)}`)).toBeGreaterThan(0)
      for (const name of ['kernel-share', 'wait-ms'])
        expect(value(name, `round-trip-${String(n)}`)).toBeGreaterThan(0)
      for (const name of ['fill-ms', 'read-ms']) expect(value(name, `round-trip-${String(n)}`)).not.toBeNull()
    }
    expect(value('latency-ms', 'round-trip')).toBeGreaterThan(0)
    expect(report.derived).toMatchObject({
      repeats: 2,
      sizesLeftOut: '',
      sizesSkipped: '',
    })
    expect(report.verdict.outcome).not.toBe('invalid')
  })

  it('shows nothing where every seventh matmul is skipped', async () => {
    const report = await run((pass) => pass % 7 !== 0)
    expect(report.verification.failed).toBeGreaterThan(0)
    expect(report.verdict.outcome).toBe('invalid')
  })

  it('shows nothing where uploads never arrive, although the time of each is as before', async () => {
    const original = ModelBuffer.prototype.getMappedRange // oxlint-disable-line typescript/unbound-method -- called with its buffer
    vi.spyOn(ModelBuffer.prototype, 'getMappedRange').mockImplementation(function (
      this: ModelBuffer,
      ...range
    ) {
      // What is written to a staging buffer is lost.
      return this.label.startsWith('staging') ? new ArrayBuffer(this.size) : original.apply(this, range)
    })
    const report = await run(() => true)
    expect(report.verification.failed).toBeGreaterThan(0)
    expect(report.verdict.outcome).toBe('invalid')
  })
})
