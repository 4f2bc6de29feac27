/** A program that shares its realm with the lab: nothing of it runs on after its end, and what it hands over is read as it is. */
import { afterEach, describe, expect, it } from 'vitest'
import { macrotask, MAP, record, stopRecording, submitPass, USAGE, type Recording } from './testing/record'
import { spansOf } from './testing/spans'

afterEach(stopRecording)

const readbackOf = (device: GPUDevice): GPUBuffer =>
  device.createBuffer({ label: 'loss', size: 16, usage: USAGE.mapRead | USAGE.copyDst })
const fail = (thrown: unknown): never => {
  throw thrown
}
const waitsIn = ({ session }: Recording): readonly string[] =>
  spansOf(session.freeze(), { kind: 'host-wait' }).map(({ name }) => name)

describe('after its end', () => {
  it('calls of a program throw, and those of the lab do not', () => {
    const { session, device } = record()
    session.program = 'runs'
    submitPass(device, 'in time')
    session.program = 'ended'
    expect(() => {
      submitPass(device, 'late')
    }).toThrow(/has ended/)
    expect(() => {
      device.queue.writeBuffer(readbackOf(device), 0, new Uint8Array(4))
    }).toThrow(/has ended/)
    session.program = 'none'
    submitPass(device, 'the lab’s')
    expect(spansOf(session.freeze(), { role: 'submit' }).map(({ name }) => name)).toEqual([
      'submit in time',
      'submit the lab’s',
    ])
  })

  const late: readonly (readonly [string, (device: GPUDevice) => Promise<unknown>])[] = [
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
  it.each(late)('a promise of %s settles only when the program is called again', async (_, ask) => {
    const { session, device } = record()
    const seen: string[] = []
    session.program = 'runs'
    ask(device).then(() => seen.push('late'), fail)
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
})

describe('a wait of a program', () => {
  const ways: readonly (readonly [string, (promise: Promise<unknown>) => unknown])[] = [
    ['is awaited', (promise) => promise],
    [
      'has a callback',
      (promise) =>
        new Promise<void>((resolve) => {
          promise.then(() => {
            resolve()
          }, fail)
        }),
    ],
    [
      'has a callback that looks like none',
      (promise) =>
        new Promise((resolve) => {
          Reflect.defineProperty(resolve, 'name', { value: 'mine' })
          promise.then(resolve, fail)
        }),
    ],
    ['is finally awaited', (promise) => promise.finally(() => undefined)],
    ['is caught', (promise) => promise.catch(() => undefined).then(() => 1)],
    // oxlint-disable-next-line unicorn/no-single-promise-in-promise-methods -- a program may
    ['is one of some', (promise) => Promise.all([promise])],
    ['goes through the intrinsic', (promise) => Promise.prototype.then.call(promise, () => undefined)],
    ['is of another class', (promise) => class extends Promise<unknown> {}.resolve(promise)],
    [
      'has another prototype',
      (promise) => {
        // oxlint-disable-next-line unicorn/no-thenable -- how a hostile program hides a wait
        Reflect.setPrototypeOf(promise, { then: () => undefined })
        return promise
      },
    ],
  ]
  it.each(ways)('is seen where the promise %s', async (_, wait) => {
    const recording = record({ autoComplete: true })
    const { session, device } = recording
    session.program = 'runs'
    await wait(device.queue.onSubmittedWorkDone())
    session.program = 'none'
    expect(waitsIn(recording)).toEqual(['await onSubmittedWorkDone()'])
  })

  it('is one also where the program called something else until its callback ran, as any could to hide it', async () => {
    const recording = record()
    const { session, device } = recording
    session.program = 'runs'
    const done = new Promise<void>((resolve) => {
      device.queue.onSubmittedWorkDone().then(() => {
        resolve()
      }, fail)
    })
    submitPass(device, 'meanwhile')
    await macrotask()
    await done
    expect(waitsIn(recording)).toEqual(['await onSubmittedWorkDone()'])
  })

  it('cannot be blinded', () => {
    const { session, device } = record()
    session.program = 'runs'
    const promise = device.queue.onSubmittedWorkDone()
    for (const name of ['then', 'constructor', 'finally'])
      expect(Reflect.defineProperty(promise, name, { value: () => undefined })).toBe(false)
  })
})

describe('what a program hands over is seen as it is:', () => {
  it('a read without unmap()', async () => {
    const { session, device } = record()
    session.program = 'runs'
    const buffer = readbackOf(device)
    await buffer.mapAsync(MAP.read)
    buffer.getMappedRange(0, 12)
    session.program = 'ended'
    expect(spansOf(session.freeze(), { role: 'read' }).map(({ bytes }) => bytes)).toEqual([12])
  })

  it('a fill by a range that was taken in a call before', () => {
    const { session, device } = record()
    const call = (repeat: number, body: () => void) => {
      session.tag = { variant: 'run', repeat, step: -1 }
      session.program = 'runs'
      body()
      session.program = 'ended'
      session.program = 'none'
    }
    const buffer = device.createBuffer({ size: 16, usage: USAGE.copySrc, mappedAtCreation: true })
    call(0, () => buffer.getMappedRange())
    call(1, () => {
      buffer.unmap()
    })
    const trace = session.freeze()
    const fills = spansOf(trace, { role: 'fill' })
    expect(fills.map(({ bytes, index }) => [bytes, trace.spans.repeat[index]])).toEqual([[16, 1]])
  })

  it('sizes of written data and of buffers', () => {
    const { session, device } = record()
    const data = new Float32Array(4)
    for (const name of ['byteLength', 'length', 'BYTES_PER_ELEMENT', Symbol.toStringTag])
      Reflect.defineProperty(data, name, { value: 0 })
    const target = device.createBuffer({ size: 16, usage: USAGE.copyDst })
    device.queue.writeBuffer(target, 0, data)
    device.queue.writeBuffer(target, 0, data.buffer)
    expect(spansOf(session.freeze(), { role: 'write' }).map(({ bytes }) => bytes)).toEqual([16, 16])
  })

  it('a buffer that is mapped at creation by something that is true', () => {
    const { session, device } = record()
    const buffer = device.createBuffer({ size: 16, usage: USAGE.copySrc, mappedAtCreation: 1 as never })
    buffer.getMappedRange()
    buffer.unmap()
    expect(spansOf(session.freeze(), { role: 'fill' }).map(({ bytes }) => bytes)).toEqual([16])
  })

  it('command buffers in an array whose iterator gives them once', () => {
    const { session, device } = record()
    const encoder = device.createCommandEncoder({ label: 'hidden' })
    encoder.beginComputePass().end()
    const commands = [encoder.finish()]
    let times = 0
    Object.assign(commands, {
      *[Symbol.iterator]() {
        times += 1
        if (times === 1) yield commands[0]
      },
    })
    device.queue.submit(commands)
    expect(spansOf(session.freeze(), { role: 'submit' }).map(({ name }) => name)).toEqual(['submit hidden'])
  })

  it.each(['encoder', 'pass', 'finish', 'group'])('a label of %s, which runs no code later', (where) => {
    const { session, device } = record()
    let ran = 0
    const evil = { toString: () => String((ran += 1)) } as unknown as string
    const label = (at: string) => (at === where ? { label: evil } : {})
    const encoder = device.createCommandEncoder(label('encoder'))
    if (where === 'group') encoder.pushDebugGroup(evil)
    encoder.beginComputePass(label('pass')).end()
    const buffer = encoder.finish(label('finish'))
    const before = ran
    device.queue.submit([buffer])
    session.stop()
    expect(ran).toBe(before)
  })
})
