/** The programs on a fake device that refuses what WebGPU refuses: no map twice, no submit of a mapped buffer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Program } from '../../lab/lab'
import { FakeDevice, wordsIn } from '../../testing/fake-webgpu'

const programs = import.meta.glob<Program>('./programs/*.js', { import: 'default', eager: true })
const STEPS = 3
const COPY_DST = 8
const MAP_WRITE = 2
const CHECKED = [1, 3]

async function setUp(name: string, autoComplete: boolean) {
  const fake = new FakeDevice({ autoComplete })
  const buffer = (label: string) => fake.createBuffer({ label, size: 16, usage: COPY_DST })
  const staging = [buffer('staging 0'), buffer('staging 1')]
  const mapped = staging.map((each) => each.mapAsync(MAP_WRITE))
  fake.complete()
  await Promise.all(mapped)
  const [a, b, c] = [buffer('A'), buffer('B'), buffer('C')]
  // A stand-in for a product: C is what was uploaded as A.
  const pass = {
    encode: (encoder: ReturnType<FakeDevice['createCommandEncoder']>, times = 1) => {
      for (let count = 0; count < times; count += 1) encoder.beginComputePass().end()
      encoder.copyBufferToBuffer(a, 0, c, 0, 16)
    },
  }
  const input = {
    matmul: pass,
    kernel: pass,
    passes: 2,
    times: 2,
    steps: STEPS,
    staging,
    readback: buffer('readback'),
    a,
    b,
    c,
    bytes: 16,
    checked: CHECKED,
    matrices: { of: (index: number) => new Float32Array(4).fill(index + 1) },
  }
  const lab = {
    *steps(count: number) {
      for (let step = 0; step < count; step += 1) yield step
    },
    compute: <T>(_: string, __: number, body: () => Promise<T>) => body(),
  }
  const program = programs[`./programs/${name}.js`]
  if (!program) throw new Error(`There is no program '${name}'.`)
  return {
    fake,
    words: (of: typeof a) => [...new Float32Array(wordsIn(of).buffer)],
    b,
    // The classes of the fake stand for WebGPU's; they lack members that programs do not use.
    run: async () => {
      const output = await program({ device: fake as unknown as GPUDevice, lab, input })
      expect(fake.uncaptured).toEqual([])
      return output
    },
    count: (prefix: string) => fake.log.filter((line) => line.startsWith(prefix)).length,
  }
}

beforeEach(() => {
  vi.stubGlobal('GPUMapMode', { READ: 1, WRITE: 2 })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const idle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe('the programs of kernel-ladder', () => {
  it('resident queues every step before anything has completed, and then waits', async () => {
    const { fake, run, count } = await setUp('resident', false)
    const ended = run()
    expect(count('submit')).toBe(STEPS)
    expect(count('pass')).toBe(STEPS * 2)
    const state = await Promise.race([ended.then(() => 'ended'), idle().then(() => 'waits')])
    expect(state).toBe('waits')
    fake.complete()
    await ended
  })

  it.each(['moving', 'transfers-only'])('%s waits for each step before the next', async (name) => {
    const { fake, run, count } = await setUp(name, false)
    const ended = run()
    for (let step = 1; step <= STEPS; step += 1) {
      await idle()
      expect(count('submit')).toBe(step)
      fake.complete()
    }
    await ended
    expect(count('submit')).toBe(STEPS)
  })

  it('moving uploads matrices of their own in every step, multiplies once, and returns what came back', async () => {
    const { run, count, words, b } = await setUp('moving', true)
    expect(await run()).toEqual([
      [1, 1],
      [3, 3],
      [5, 5],
    ])
    expect(words(b)).toEqual([6, 6, 6, 6])
    expect(count('pass')).toBe(STEPS)
  })

  it('transfers-only moves as much and multiplies nothing', async () => {
    const moving = await setUp('moving', true)
    const alone = await setUp('transfers-only', true)
    await moving.run()
    expect(await alone.run()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    expect(alone.count('pass')).toBe(0)
    const copies = (log: readonly string[]) => log.filter((line) => /^copy (staging|C)/.test(line))
    expect(copies(alone.fake.log)).toEqual(copies(moving.fake.log))
    expect(copies(alone.fake.log)).toHaveLength(3 * STEPS)
  })

  it('roofline runs its passes in one submission', async () => {
    const { run, count } = await setUp('roofline', true)
    await run()
    expect(count('submit')).toBe(1)
    expect(count('pass')).toBe(2)
  })
})
