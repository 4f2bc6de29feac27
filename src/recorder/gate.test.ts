/**
 * What an exercise's program leaves behind: after its end nothing of it runs on, where no budget
 * would count it.
 */
import { afterEach, expect, it } from 'vitest'
import { macrotask, MAP, record, stopRecording, submitPass, USAGE, type Recording } from './testing/record'
import { spansOf } from './testing/spans'

afterEach(stopRecording)

const readbackOf = (device: GPUDevice): GPUBuffer =>
  device.createBuffer({ label: 'loss', size: 16, usage: USAGE.mapRead | USAGE.copyDst })

it('its calls throw, and those of the lab do not', () => {
  const { session, device } = record()
  session.program = 'runs'
  submitPass(device, 'in time')
  session.program = 'ended'
  expect(() => submitPass(device, 'late')).toThrow(/has ended/)
  session.program = 'none'
  submitPass(device, 'the lab’s')
  expect(spansOf(session.freeze(), { role: 'submit' }).map(({ name }) => name)).toEqual([
    'submit in time',
    'submit the lab’s',
  ])
})

const asked: readonly (readonly [string, (device: GPUDevice) => Promise<unknown>])[] = [
  ['mapAsync', (device) => readbackOf(device).mapAsync(MAP.read)],
  ['onSubmittedWorkDone', (device) => device.queue.onSubmittedWorkDone()],
  [
    'popErrorScope',
    (device) => {
      device.pushErrorScope('validation')
      return device.popErrorScope()
    },
  ],
  ['getCompilationInfo', (device) => device.createShaderModule({ code: '' }).getCompilationInfo()],
]
it.each(asked)('a promise of %s settles only when it is called again', async (_, ask) => {
  const { session, device } = record()
  const seen: string[] = []
  session.program = 'runs'
  ask(device).then(
    () => seen.push('late'),
    () => undefined,
  )
  session.program = 'ended'
  await macrotask()
  session.program = 'none'
  await macrotask()
  await ask(device) // the lab's own
  expect(seen).toEqual([])
  session.program = 'runs'
  await macrotask()
  expect(seen).toEqual(['late'])
})

const waits: readonly (readonly [string, (promise: Promise<unknown>) => unknown])[] = [
  ['is awaited', (promise) => promise],
  [
    'has a callback',
    (promise) =>
      new Promise<void>((resolve, reject) => {
        promise.then(() => resolve(), reject)
      }),
  ],
  ['is finally awaited', (promise) => promise.finally(() => undefined)],
  // oxlint-disable-next-line unicorn/no-single-promise-in-promise-methods -- a program may
  ['is one of some', (promise) => Promise.all([promise])],
]
it.each(waits)('while it runs, it waits where a promise %s', async (_, wait) => {
  const recording: Recording = record({ autoComplete: true })
  const { session, device } = recording
  session.program = 'runs'
  await wait(device.queue.onSubmittedWorkDone())
  session.program = 'none'
  const found = spansOf(session.freeze(), { kind: 'host-wait' })
  expect(found.map(({ name }) => name)).toEqual(['await onSubmittedWorkDone()'])
})
