/**
 * What a program leaves behind when it returns, on a fake device: calls of WebGPU, and promises
 * that nobody awaits.
 */
import { beforeEach, expect, it, vi } from 'vitest'
import { tinyEnvironment } from '../../experiments/testing/tiny'
import { prepare } from '../../lessons/command-queue/mend/prepare'
import { followTestClock, SMALL_DEVICE, stubRealm } from '../../site/worker/testing/injected'
import { FakeGpu } from '../../testing/fake-webgpu'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import type { Message } from '../types'
import { runProgram } from './run-program'

vi.mock(import('./global'), async (original) => ({
  ...(await original()),
  emptyGlobal: () => undefined,
}))
vi.mock('../budget/budget', () => ({
  createBudget: () => ({
    install: () => undefined,
    violation: null,
    given: () => undefined,
    open: () => undefined,
    close: () => undefined,
  }),
}))

const listeners = new Map<string, (event: unknown) => void>()
beforeEach(() => {
  stubRealm()
  const gpu = new FakeGpu({ ...SMALL_DEVICE, onDevice: followTestClock })
  vi.stubGlobal('navigator', { userAgent: 'test', hardwareConcurrency: 2, gpu })
  vi.stubGlobal('setInterval', () => 0)
  vi.stubGlobal('addEventListener', (type: string, listener: (event: unknown) => void) =>
    listeners.set(type, listener),
  )
  vi.stubGlobal('location', { href: 'blob:mend' })
  vi.stubGlobal('GPUBufferUsage', { COPY_SRC: 4, COPY_DST: 8, UNIFORM: 0x40, STORAGE: 0x80 })
  vi.stubGlobal('GPUShaderStage', { COMPUTE: 4 })
})

type Program = (scope: { readonly device: GPUDevice }) => unknown
async function run(program: Program): Promise<readonly Message[]> {
  const messages: Message[] = []
  await runProgram(
    {
      lesson: 'command-queue',
      seed: 1,
      plan: null,
      environment: tinyEnvironment,
      info: testInfo,
      wgsl: null,
    },
    (message) => void messages.push(message),
    prepare,
    () => Promise.resolve(program),
  )
  expect(messages.at(-1)).toEqual({ type: 'done' })
  return messages
}

it('what goes on behind its end may not call WebGPU', async () => {
  const said: string[] = []
  const goOn = (device: GPUDevice, turns: number) => {
    if (turns > 0) {
      queueMicrotask(() => goOn(device, turns - 1))
      return
    }
    try {
      device.queue.submit([])
      said.push('submitted')
    } catch (thrown) {
      said.push(String(thrown))
    }
  }
  await run(({ device }) => {
    goOn(device, 20)
    return []
  })
  expect(new Set(said)).toEqual(new Set(['Error: The program has ended: WebGPU takes no more calls of it.']))
})

it('a promise that was rejected, and that nothing awaited, is named in its log', async () => {
  const messages = await run(() => {
    listeners.get('unhandledrejection')?.({
      preventDefault: () => undefined,
      reason: new TypeError('not mine'),
    })
    return []
  })
  const line = 'A promise was rejected, and nothing awaited it: TypeError: not mine'
  expect(messages).toContainEqual({ type: 'log', line })
})
