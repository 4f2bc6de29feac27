/** A session on the fake WebGPU. */
import { FakeDevice, fakeRealm, type FakeOptions } from '../../testing/fake-webgpu'
import { startRecording, type RecordingSession, type SessionOptions } from '../session'
import { testInfo } from '../../trace/testing/arbitrary-trace'

export const USAGE = { mapRead: 1, mapWrite: 2, copySrc: 4, copyDst: 8 } as const
export const MAP = { read: 1, write: 2 } as const

let session: RecordingSession | null = null
/** In afterEach: the prototypes are shared by all tests of a file. */
export function stopRecording(): void {
  session?.stop()
  session = null
}

export interface Recording {
  readonly session: RecordingSession
  /** As a program sees it. */
  readonly device: GPUDevice
  readonly fake: FakeDevice
}

export const asDevice = (fake: FakeDevice): GPUDevice => fake as unknown as GPUDevice // the realm's own class

export function record(fake: FakeOptions = {}, options: Partial<SessionOptions> = {}): Recording {
  session = startRecording({ info: testInfo, hostStepUs: 5, realm: fakeRealm, ...options })
  const created = new FakeDevice(fake)
  const device = asDevice(created)
  session.attach(device, { deviceStepNs: 1 })
  return { session, device, fake: created }
}

/** One pass in a submission of its own. */
export function submitPass(device: GPUDevice, label: string): void {
  const encoder = device.createCommandEncoder({ label })
  encoder.beginComputePass({ label: 'matmul' }).end()
  device.queue.submit([encoder.finish()])
}

export const macrotask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
