/** A whole run on a fake device that multiplies: programs, checks and metrics together; and one with its work or its uploads taken out. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeLabDevice, followHostClock } from '../../engine/testing/fake-device'
import type { Program } from '../../lab/lab'
import { fakeRealm, type FakeDevice } from '../../testing/fake-webgpu'
import { findMetric, type Environment, type Report } from '../../trace/report'
import { parseParams } from '../experiment'
import { multiplyPlain } from '../../kernels/cpu/plain-matmul'
import { runOnFake } from '../testing/run-on-fake'
import { worthIt as declared } from './meta'
import { rules } from './verdict.md'

const worthIt = { ...declared, rules }
import { prepare } from './prepare'
import { parseVariant } from './variants'

vi.mock('../../kernels/cpu/onnx-matmul', () => ({
  openMultiply: () => Promise.reject(new Error('not in this test')),
}))

const files = import.meta.glob<Program>('./programs/*.js', { import: 'default', eager: true })
const nameOf = (path: string): string => path.replace(/^.*\/|\.js$/g, '')

beforeEach(() => {
  for (const [name, value] of Object.entries(fakeRealm))
    if (name.startsWith('GPU')) vi.stubGlobal(name, value)
  vi.stubGlobal('GPUMapMode', { READ: 1, WRITE: 2 })
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const PASS_MS = 0.01
const VALUES = { sizes: ['16', '32'], uses: 2, repeats: 2, kernel: 'tiled', seconds: 60 }

/** Runs it; `keep` says which of the device's matmul passes take place. */
async function run(
  keep: (pass: number) => boolean,
  change: (fake: FakeDevice) => void = () => undefined,
): Promise<Report> {
  let passes = 0
  const bufferOf = (label: string): Float32Array => {
    const buffer = fake.buffers.findLast((each) => each.label === label && !each.destroyed)
    return new Float32Array(buffer?.data ?? new ArrayBuffer(0))
  }
  const { device, fake } = fakeLabDevice({
    // Short, so that the device never runs ahead of the host.
    passTicks: PASS_MS * 1e6,
    gapTicks: 1000,
    onPass: ({ label, dispatches }) => {
      const [, size] = /^matmul (\d+)³$/.exec(label) ?? []
      if (size === undefined) return
      passes += 1
      if (!keep(passes)) return
      const n = Number(size)
      const product = multiplyPlain(bufferOf('matrix A'), bufferOf('matrix B'), n)
      const c = bufferOf('matrix C')
      for (let index = 0; index < product.length; index += 1)
        c[index] = (c[index] ?? 0) + (product[index] ?? 0) * dispatches
    },
  })
  followHostClock(fake)
  change(fake)
  const values = parseParams(worthIt, VALUES)
  if (!values.ok) throw new Error(values.error.message)
  const environment = {
    isSoftware: false,
    hostClockStepUs: 5,
    deviceClockStepNs: 1,
    crossOriginIsolated: true,
    userAgent: '',
    completionLatencyMs: 1,
    emptySubmitLatencyMs: 1,
    matmulGflops: 50,
  } as unknown as Environment // what a run reads of it
  const report = await runOnFake({
    declaration: worthIt,
    prepare,
    programs: files,
    device,
    values: values.value,
    environment,
  })
  return report
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
      expect(value('kernel-ms', `round-trip-${String(n)}`)).toBeCloseTo(PASS_MS, 6)
      for (const name of ['kernel-share', 'wait-ms'])
        expect(value(name, `round-trip-${String(n)}`)).toBeGreaterThan(0)
      for (const name of ['fill-ms', 'read-ms']) expect(value(name, `round-trip-${String(n)}`)).not.toBeNull()
    }
    expect(value('latency-ms', 'round-trip')).toBeGreaterThan(0)
    expect(report.derived).toMatchObject({
      repeats: 2,
      sizesLeftOut: '',
      sizesSkipped: '',
      processorLibrary: 'plain TypeScript',
    })
    expect(report.verdict.outcome).not.toBe('invalid')
  })

  it('runs each of its programs, and has no other', () => {
    const values = { sizes: ['32'] }
    const named = worthIt.variants(values).map((variant) => worthIt.program(variant, values))
    expect(new Set(named)).toEqual(new Set(Object.keys(files).map(nameOf)))
    expect(
      worthIt.variants({ sizes: ['64', '32'] }).flatMap((variant) => parseVariant(variant)?.n ?? []),
    ).toEqual([32, 32, 32, 64, 64, 64])
  })

  it('shows nothing where every seventh matmul is skipped', async () => {
    const report = await run((pass) => pass % 7 !== 0)
    expect(report.verification.failed).toBeGreaterThan(0)
    expect(report.verdict.outcome).toBe('invalid')
  })

  it('shows nothing where uploads never arrive, although the time of each is as before', async () => {
    const report = await run(
      () => true,
      (fake) => {
        const createBuffer = fake.createBuffer.bind(fake)
        vi.spyOn(fake, 'createBuffer').mockImplementation((descriptor) => {
          const buffer = createBuffer(descriptor)
          // What is written to a staging buffer is lost.
          if (descriptor.label?.startsWith('staging') === true)
            vi.spyOn(buffer, 'getMappedRange').mockImplementation(() => new ArrayBuffer(buffer.size))
          return buffer
        })
      },
    )
    expect(report.verification.failed).toBeGreaterThan(0)
    expect(report.verdict.outcome).toBe('invalid')
  })
})
