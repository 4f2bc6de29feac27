/** Whatever a program hands over: the lab gets data or genuine objects of WebGPU, or says no in a sentence. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeDevice, fakeRealm } from '../../testing/fake-webgpu'
import { Border } from './border'

const device = new FakeDevice() as unknown as GPUDevice // the realm's own class
let isOpen = true
const seen: unknown[] = []
const border = new Border({
  encoders: fakeRealm.GPUCommandEncoder,
  isOpen: () => isOpen,
  given: (promise) => promise,
})
const note = border.handOver((...args: readonly unknown[]) => void seen.push(...args))

beforeEach(() => {
  isOpen = true
  seen.length = 0
})

let evil = 0
const bad = (): never => {
  evil += 1
  throw new Error('evil')
}
const traps = Object.fromEntries(
  ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map((name) => [name, bad]),
)
const forged = <T extends object>(value: T): T => {
  for (const name of [
    'length',
    'byteLength',
    'slice',
    'subarray',
    'set',
    'buffer',
    'beginComputePass',
    'label',
  ])
    Reflect.defineProperty(value, name, { get: bad, configurable: true })
  return value
}
/** What a program could think of, in any place. */
const hostile: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.anything().map((value) => () => value),
  fc.constantFrom<() => unknown>(
    () => new Proxy({}, traps),
    () => new Proxy([], traps),
    () => new Proxy(new Float32Array(4), traps),
    () => new Proxy(device.createCommandEncoder(), {}),
    () => Object.create(fakeRealm.GPUCommandEncoder.prototype),
    () => Object.create(Float32Array.prototype),
    () => forged(device.createCommandEncoder()),
    () => Object.setPrototypeOf(device.createCommandEncoder(), { beginComputePass: bad }),
    () => ({ beginComputePass: bad }),
    // oxlint-disable-next-line unicorn/no-thenable -- what a hostile program returns
    () => ({ then: bad }),
    () => forged({}),
    () => bad,
    () => 'x'.repeat(1e6),
    () => Object.assign([], { length: 2 ** 32 - 1 }),
    () => Symbol('s'),
    () => 1n,
  ),
)

describe('a function of the lab’s', () => {
  it('gets primitives, clean views and encoders, whatever it is called with', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 3 }), (makers) => {
        const args = makers.map((make) => make())
        seen.length = 0
        evil = 0
        try {
          note(...args)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(TypeError)
          expect(String(thrown)).not.toContain('evil')
        }
        for (const each of seen)
          if (typeof each === 'object' && each !== null)
            if (ArrayBuffer.isView(each))
              expect(Reflect.ownKeys(each).filter((key) => !/^\d+$/.test(String(key)))).toEqual([])
            else expect(Reflect.getPrototypeOf(each)).toBe(fakeRealm.GPUCommandEncoder.prototype)
          else expect(typeof each).not.toBe('function')
        expect(evil).toBe(0)
      }),
    )
  })

  it('gets the numbers of an array that lies about them', () => {
    const numbers = forged(new Float32Array([1, 2, 3]))
    note(numbers.constructor === Float32Array ? numbers : null)
    expect(seen).toEqual([new Float32Array([1, 2, 3])])
  })

  it('fills the very memory of an array', () => {
    const into = new Float32Array(2)
    note(into)
    ;(seen[0] as Float32Array).set([5, 6])
    expect([...into]).toEqual([5, 6])
  })

  it('gets a genuine encoder, and none with methods of the program', () => {
    const encoder = device.createCommandEncoder()
    note(encoder, 3)
    expect(seen).toEqual([encoder, 3])
    expect(() => { note(forged(device.createCommandEncoder())) }).toThrow('properties of your own') // oxfmt-ignore
    expect(() => { note({ beginComputePass: bad }) }).toThrow('command encoders') // oxfmt-ignore
  })

  it('is called by nobody after the end', () => {
    isOpen = false
    expect(() => {
      note(1)
    }).toThrow('has ended')
    expect(seen).toEqual([])
  })
})

describe('what the lab hands over', () => {
  it('is a frozen copy, in which two names for one object stay so', () => {
    const layer = { encode: () => 7, list: [1] }
    const buffer = device.createBuffer({ size: 4, usage: 8 })
    const given = border.handOver({ layers: [layer, layer], buffer })
    expect(given.layers[0]).toBe(given.layers[1])
    expect(given.layers[0]).not.toBe(layer)
    expect(given.layers[0]?.encode()).toBe(7)
    expect(given.buffer).toBe(buffer)
    expect([given, given.layers, given.layers[0]].every((each) => Object.isFrozen(each))).toBe(true)
  })
})

describe('a program', () => {
  const returned = (value: unknown): Promise<unknown> => border.program(() => value)() as Promise<unknown>

  it('returns plain data or a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (make) => {
        try {
          const copy = await returned(make())
          expect(structuredClone(copy)).toEqual(copy)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error)
        }
      }),
    )
  })

  it('is copied when it returns: what is done to it later does not count', async () => {
    const block = new Float32Array([1])
    const copy = await returned(block)
    block[0] = 2
    expect(copy).toEqual([1])
  })

  it('that is no function is said', () => {
    expect(() => border.program(3)).toThrow('must be a function')
  })
})
