/**
 * The probe of a device on the fake one: what WebGPU refuses in any of its phases is a fault, and
 * nothing of the probe stays behind.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeLabDevice } from '../gpu/testing/fake-device'
import { stepOfTicks, describeDevice, measureEnvironment } from './environment'
import { stubWebGpu } from './testing/tiny'

beforeEach(stubWebGpu)

function open() {
  const { device, fake } = fakeLabDevice({ passNs: 10_000, gapNs: 1000 })
  fake.followHost()
  // Small: sizes grow until a pass takes some ms, which on this device none does.
  const limits = { maxBufferSize: 2 ** 26, maxStorageBufferBindingSize: 2 ** 16 }
  return { device: { ...device, limits, isSoftware: true }, fake }
}

describe('describeDevice', () => {
  it('has what the device says of itself, and runs nothing on it', () => {
    const { device, fake } = open()
    const facts = describeDevice(device)
    expect(facts).toMatchObject({ adapterName: device.name, isSoftware: true, features: device.features })
    expect(facts).not.toHaveProperty('hostClockStepUs')
    expect([fake.log, fake.buffers]).toEqual([[], []])
  })
})

describe('measureEnvironment', () => {
  it('leaves no buffer and no open error scope', async () => {
    const { device, fake } = open()
    const environment = await measureEnvironment(device)
    expect(environment.emptySubmitLatencyMs).toBeGreaterThan(0)
    expect(environment.matmulGflops).toBeGreaterThan(0)
    expect(fake.buffers.filter(({ isDestroyed }) => !isDestroyed).map(({ label }) => label)).toEqual([])
    expect([fake.scopes, fake.uncaptured]).toEqual([[], []])
  })

  it.each(['clock step', 'fill', 'calibration', 'empty', 'latency'])(
    'fails where WebGPU refuses what is submitted as %s',
    async (label) => {
      const { device, fake } = open()
      const { submitted } = fake
      let raised = 0
      fake.submitted = (labels) => {
        submitted(labels)
        if (!labels.includes(label)) return
        raised += 1
        if (raised === 1) fake.raise('validation', label)
      }
      const failure = await measureEnvironment(device).catch((thrown: unknown) => thrown)
      expect(raised).toBeGreaterThan(0)
      expect(failure).toMatchObject({ fault: { code: 'validation', data: { message: label } } })
      expect(fake.buffers.filter(({ isDestroyed }) => !isDestroyed)).toEqual([])
      expect([fake.scopes, fake.uncaptured]).toEqual([[], []])
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
