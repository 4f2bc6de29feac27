/** The fake WebGPU behind the engine's own interface. */
import type { LabDevice } from '../device'
import { RunContext } from '../run-context'
import type { Fault } from '../../base/fault'
import { FakeDevice, type FakeOptions } from '../../testing/fake-webgpu'
import { testInfo } from '../../trace/testing/arbitrary-trace'

export type { FakeDevice, FakeOptions }

export function fakeLabDevice(options: FakeOptions = {}): {
  readonly device: LabDevice
  readonly fake: FakeDevice
} {
  const fake = new FakeDevice(options)
  const lostListeners = new Set<(fault: Fault) => void>()
  let lostFault: Fault | null = null
  fake.lost
    .then(({ reason }) => {
      lostFault = { code: 'device-lost', message: `lost: ${reason}` }
      for (const listener of lostListeners) listener(lostFault)
    })
    .catch((thrown: unknown) => {
      throw thrown
    })
  const device: LabDevice = {
    gpu: fake as unknown as GPUDevice,
    info: { vendor: 'fake', architecture: '', device: '', description: '', isFallbackAdapter: false },
    name: 'fake device',
    isSoftware: false,
    features: [],
    limits: { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27 },
    hasTimestamps: options.timestamps ?? true,
    lostFault: () => lostFault,
    onLost: (listener) => {
      lostListeners.add(listener)
      return () => void lostListeners.delete(listener)
    },
    onError: () => () => undefined,
    destroy: () => fake.destroy(),
  }
  return { device, fake }
}

/**
 * A run's context, recording, on a fake device; its clock follows the host's unless it is to stand
 * still.
 */
export function openFakeContext(
  options: FakeOptions = {},
  isRunning = true,
): { readonly context: RunContext; readonly fake: FakeDevice } {
  const { device, fake } = fakeLabDevice(options)
  if (isRunning) fake.followHost()
  return {
    context: RunContext.open(device, { record: true, hostStepUs: 5, deviceStepNs: 1, info: testInfo }),
    fake,
  }
}
