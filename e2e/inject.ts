/** Faults put into the lab's own worker, at the n-th call of WebGPU that gives a promise, and what is alive on its devices. */
import type { Page } from '@playwright/test'
import { prefixWorker } from './worker-prefix'

export const FAULTS = ['loss', 'cancel', 'out-of-memory', 'validation'] as const
export type Fault = (typeof FAULTS)[number]

export interface Injected {
  /** Calls that gave a promise, since it was armed. */
  readonly calls: number
  /** The call at which the fault was put in; null: it was not. */
  readonly hit: string | null
  /** Devices that were asked for since the worker was started. */
  readonly devices: number
  /** Labels of buffers that were not destroyed, on devices that live. */
  readonly live: readonly string[]
}

/** Runs in the worker, before its own script. */
function install(): void {
  const channel = new BroadcastChannel('injected faults')
  let [calls, at, fault, hit] = [0, -1, '', null as string | null]
  let failsNext = false
  let devices = 0
  let isCancelling = false
  const live = new Map<GPUBuffer, GPUDevice>()
  let lastDevice: GPUDevice | null = null
  channel.addEventListener(
    'message',
    ({ data }: MessageEvent<{ type: string; at: number; fault: string }>) => {
      if (data.type === 'arm') {
        ;[calls, at, fault, hit] = [0, data.at, data.fault, null]
        channel.postMessage({ type: 'armed' })
      } else if (data.type === 'ask')
        channel.postMessage({
          type: 'state',
          calls,
          devices,
          hit,
          live: Array.from(live.keys(), ({ label }) => label),
        })
    },
  )
  type Method = (this: object, ...args: unknown[]) => unknown
  const wrap = (prototype: object, name: string, make: (original: Method) => Method) => {
    Reflect.set(prototype, name, make(Reflect.get(prototype, name) as Method))
  }
  const put = (call: string) => {
    calls += 1
    const device = lastDevice
    if (calls - 1 !== at || !device) return
    hit = call
    if (fault === 'cancel') isCancelling = true
    else if (fault === 'loss') device.destroy()
    // A buffer for nothing: refused, to whatever scope is open.
    else if (fault === 'validation') device.createBuffer({ label: 'injected', size: 4, usage: 0 }).destroy()
    else failsNext = true
  }
  /** Not before the page has cancelled: a short run would else be over by then on a busy machine. */
  const afterCancel = (answer: unknown): unknown => {
    if (!isCancelling) return answer
    isCancelling = false
    const cancelled = new Promise<void>((resolve) => {
      channel.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type === 'cancelled') resolve()
      })
    })
    channel.postMessage({ type: 'cancel' })
    const whole = async () => {
      try {
        return await answer
      } finally {
        await cancelled
      }
    }
    return whole()
  }
  const counted = (prototype: object, name: string) => {
    wrap(
      prototype,
      name,
      (original) =>
        function (...args) {
          put(name)
          return afterCancel(original.apply(this, args))
        },
    )
  }
  wrap(
    GPUAdapter.prototype,
    'requestDevice',
    (original) =>
      async function (...args) {
        devices += 1
        const device = (await original.apply(this, args)) as GPUDevice
        lastDevice = device
        // Never rejects (WebGPU §4.4).
        device.lost.then(
          () => {
            for (const [buffer, of] of live) if (of === device) live.delete(buffer)
          },
          () => undefined,
        )
        return device
      },
  )
  counted(GPUBuffer.prototype, 'mapAsync')
  counted(GPUQueue.prototype, 'onSubmittedWorkDone')
  counted(GPUDevice.prototype, 'createComputePipelineAsync')
  counted(GPUShaderModule.prototype, 'getCompilationInfo')
  wrap(
    GPUDevice.prototype,
    'popErrorScope',
    (original) =>
      function (...args) {
        put('popErrorScope')
        const answer = original.apply(this, args)
        if (!failsNext) return afterCancel(answer)
        failsNext = false
        return Promise.resolve(answer).then(() => new GPUOutOfMemoryError('injected'))
      },
  )
  wrap(
    GPUDevice.prototype,
    'createBuffer',
    (original) =>
      function (...args) {
        const buffer = original.apply(this, args) as GPUBuffer
        live.set(buffer, this as GPUDevice)
        return buffer
      },
  )
  wrap(
    GPUBuffer.prototype,
    'destroy',
    (original) =>
      function (...args) {
        live.delete(this as GPUBuffer)
        return original.apply(this, args)
      },
  )
}

/** Before the page is opened. */
export async function installInjection(page: Page): Promise<void> {
  await prefixWorker(page, install)
  await page.addInitScript(() => {
    const channel = new BroadcastChannel('injected faults')
    channel.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
      if (data.type !== 'cancel') return
      globalThis.hostDeviceLab?.cancel()
      channel.postMessage({ type: 'cancelled' })
    })
  })
}

const say = <T>(page: Page, message: object, answer: string): Promise<T> =>
  page.evaluate(
    ([said, wanted]) =>
      new Promise<T>((resolve) => {
        const channel = new BroadcastChannel('injected faults')
        channel.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
          if (data.type !== wanted) return
          channel.close()
          resolve(data as T)
        })
        channel.postMessage(said)
      }),
    [message, answer] as const,
  )

/** The worker must have been started. `at` -1: nothing is put in, calls are counted. */
export const arm = (page: Page, at: number, fault: Fault = 'loss'): Promise<unknown> =>
  say(page, { type: 'arm', at, fault }, 'armed')
export const injectedState = (page: Page): Promise<Injected> => say(page, { type: 'ask' }, 'state')
