/** The probe of a device on the fake one: what WebGPU refuses in any of its phases is a fault, and nothing of the probe stays behind. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeLabDevice, followHostClock } from '../engine/testing/fake-device'
import { stepOfTicks } from './device-step'
import { describeDevice, measureEnvironment } from './environment'
import { stubWebGpu, TestValidationError } from './testing/tiny'

beforeEach(stubWebGpu)
afterEach(() => {
  vi.unstubAllGlobals()
})

function open() {
  const { device, fake } = fakeLabDevice({ passTicks: 10_000, gapTicks: 1000 })
  followHostClock(fake)
  // Small: sizes grow until a pass takes some ms, which on this device none does.
  const limits = { maxBufferSize: 2 ** 26, maxStorageBufferBindingSize: 2 ** 16 }
  return { device: { ...device, limits, isSoftware: true }, fake }
}

describe('describeDevice', () => {
  it('has what the device says of itself, and runs nothing on it', () => {
    const { device, fake } = open()
    const run = vi.spyOn(fake, 'run')
    const facts = describeDevice(device)
    expect(facts).toMatchObject({ adapterName: device.name, isSoftware: true, features: device.features })
    expect(facts).not.toHaveProperty('hostClockStepUs')
    expect(run).not.toHaveBeenCalled()
    expect(fake.buffers).toEqual([])
  })
})

describe('measureEnvironment', () => {
  it('leaves no buffer and no open error scope', async () => {
    const { device, fake } = open()
    const environment = await measureEnvironment(device)
    expect(environment.emptySubmitLatencyMs).toBeGreaterThan(0)
    expect(environment.matmulGflops).toBeGreaterThan(0)
    expect(fake.buffers.filter(({ destroyed }) => !destroyed).map(({ label }) => label)).toEqual([])
    expect([fake.openScopes, fake.uncaptured]).toEqual([0, []])
  })

  it.each(['clock step', 'fill', 'calibration', 'empty', 'latency', 'behind', 'upload', 'readback'])(
    'fails where WebGPU refuses what is submitted as %s',
    async (label) => {
      const { device, fake } = open()
      const run = fake.run.bind(fake)
      let raised = 0
      fake.run = (buffers) => {
        run(buffers)
        if (!buffers.some((buffer) => buffer.label === label)) return
        raised += 1
        if (raised === 1) fake.raise(new TestValidationError(label))
      }
      const failure = await measureEnvironment(device).catch((thrown: unknown) => thrown)
      expect(raised).toBeGreaterThan(0)
      expect(failure).toMatchObject({ fault: { code: 'validation', data: { message: label } } })
      expect(fake.buffers.filter(({ destroyed }) => !destroyed)).toEqual([])
      expect([fake.openScopes, fake.uncaptured]).toEqual([0, []])
    },
  )
})

describe('stepOfTicks', () => {
  it('is the greatest common divisor, named a quantum where all are whole ones; null for a clock that stands still', () => {
    expect(stepOfTicks([0, 100, 250])).toBe(50)
    expect(stepOfTicks([0, 3 * 65536, 9 * 65536])).toBe(65536)
    expect(stepOfTicks([0, 0, 0])).toBeNull()
  })
})
