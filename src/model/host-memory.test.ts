/** Programs cannot tell memory that is not there from memory that is. */
import { describe, expect, it } from 'vitest'
import { keep } from '../base/buffer-registry'
import { h200 } from './machines/h200'
import { HostRange } from './host-memory'
import { Machine } from './machine'
import { realmOf } from './realm'

const MAP_READ = 1
const MAP_WRITE = 2
const COPY_SRC = 4
const COPY_DST = 8
const WORDS = 2 ** 18

/** Uploads `source`, changes it by `then`, and gives what is read back to `look`. */
const roundTrip = <T>(
  source: () => Float32Array,
  then: (source: Float32Array) => void,
  look: (range: ArrayBuffer) => T | Promise<T>,
): Promise<T> =>
  realm(async (device) => {
    const [up, down] = [MAP_WRITE | COPY_SRC, MAP_READ | COPY_DST].map((usage) =>
      device.createBuffer({ size: 4 * WORDS, usage }),
    )
    if (!up || !down) throw new Error('two buffers')
    await up.mapAsync(MAP_WRITE)
    const numbers = source()
    new Float32Array(up.getMappedRange()).set(numbers)
    then(numbers)
    up.unmap()
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(up, 0, down, 0, 4 * WORDS)
    device.queue.submit([encoder.finish()])
    await down.mapAsync(MAP_READ)
    return await look(down.getMappedRange())
  })

async function realm<T>(program: (device: GPUDevice) => Promise<T>): Promise<T> {
  const { gpu, run } = realmOf(new Machine(h200))
  return await run(async () => {
    const device = await (await gpu.requestAdapter())?.requestDevice()
    if (!device) throw new Error('no device')
    return await program(device)
  })
}

const counting = (): Float32Array => Float32Array.from({ length: WORDS }, (_, index) => index / 2)
const nothing = (): void => undefined

describe('a large range', () => {
  it('counts from its end where a program does', async () => {
    const found = await roundTrip(counting, nothing, (range) => {
      const view = new Float32Array(range)
      const parts = [view.subarray(0, -1), view.subarray(-3), view.slice(-3, -1), view.subarray(5, 2)]
      return parts.map((part) => [part.length, part[0]])
    })
    const last = (WORDS - 1) / 2
    expect(found).toEqual([
      [WORDS - 1, 0],
      [3, last - 1],
      [2, last - 1],
      [0, undefined],
    ])
  })

  it('is not in memory, and reads as what was written', async () => {
    const found = await roundTrip(
      () => keep(counting()),
      nothing,
      (range) => {
        const view = new Float32Array(range)
        const isThere = !((range as unknown) instanceof HostRange)
        return { isThere, some: [view[0], view[4097], view[WORDS - 1], view[WORDS]], length: view.length }
      },
    )
    expect(found).toEqual({ isThere: false, some: [0, 2048.5, (WORDS - 1) / 2, undefined], length: WORDS })
  })

  it.each([
    ['slice() of the range', (range: ArrayBuffer) => new Float32Array(range.slice(0))],
    ['slice() of a view', (range: ArrayBuffer) => new Float32Array(range).slice()],
    ['a part of a view', (range: ArrayBuffer) => new Float32Array(range).subarray(0)],
    [
      'memory of the program’s',
      (range: ArrayBuffer) => {
        const own = new Float32Array(WORDS)
        own.set(new Float32Array(range))
        return own
      },
    ],
  ])('is the same through %s', async (_, through) => {
    const sum = (numbers: Float32Array) => numbers.reduce((all, each) => all + each, 0)
    const found = await roundTrip(counting, nothing, (range) => sum(through(range)))
    expect(found).toBe(sum(counting()))
  })

  it('is the same for numbers of another size', async () => {
    const found = await roundTrip(counting, nothing, (range) => [
      new BigUint64Array(range).length,
      new DataView(range).getFloat32(12, true),
      new BigUint64Array(range, 8, 1)[0],
    ])
    const [, pair] = new BigUint64Array(counting().slice(0, 4).buffer)
    expect(found).toEqual([WORDS / 2, 1.5, pair])
  })

  it('keeps what it was given, whatever becomes of that', async () => {
    const found = await roundTrip(
      counting,
      (numbers) => numbers.fill(-1),
      (range) => new Float32Array(range)[10],
    )
    expect(found).toBe(5)
  })

  it('can be what an asynchronous function returns', async () => {
    const found = await roundTrip(counting, nothing, (range) => Promise.resolve(new Float32Array(range)))
    expect(found[3]).toBe(1.5)
    expect(found).toBeInstanceOf(Float32Array)
  })

  it('takes numbers one by one, and is empty once it is unmapped', async () => {
    const found = await realm(async (device) => {
      const buffer = device.createBuffer({ size: 4 * WORDS, usage: MAP_WRITE | COPY_SRC })
      await buffer.mapAsync(MAP_WRITE)
      const range = buffer.getMappedRange()
      const view = new Uint32Array(range)
      for (let index = 0; index < 3000; index += 1) view[index] = index
      const before = [view[0], view[2999], view[3000]]
      buffer.unmap()
      return { before, after: range.byteLength }
    })
    expect(found).toEqual({ before: [0, 2999, 0], after: 0 })
  })
})
