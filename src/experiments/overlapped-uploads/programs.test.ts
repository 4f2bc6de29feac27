/** The programs on a fake device that refuses what WebGPU refuses: no map twice, no submit of a mapped buffer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeDevice, wordsIn } from '../../testing/fake-webgpu'
import type { Program } from '../../lab/lab'

const programs = import.meta.glob<Program>('./programs/*.js', { import: 'default', eager: true })
const programOf = (name: string): Program => {
  const program = programs[`./programs/${name}.js`]
  if (!program) throw new Error(`There is no program '${name}'.`)
  return program
}

const STEPS = 6
const COPY_DST = 8
const MAP_WRITE = 2

interface Setup {
  readonly fake: FakeDevice
  /** Runs it until it waits for something that has not completed. */
  readonly start: () => { readonly ended: Promise<unknown> }
  readonly count: (prefix: string) => number
  /** By step: the first word that stood on the device when the step's check looked. */
  readonly arrived: () => readonly number[]
}

const idle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

async function setUp(name: string, depth: number, autoComplete: boolean): Promise<Setup> {
  const fake = new FakeDevice({ autoComplete })
  const buffer = (label: string) => fake.createBuffer({ label, size: 16, usage: COPY_DST })
  const staging = Array.from({ length: depth }, (_, index) => buffer(`staging ${String(index)}`))
  const mapped = staging.map((each) => each.mapAsync(MAP_WRITE))
  fake.complete()
  await Promise.all(mapped)
  const onDevice = [buffer('input 0'), buffer('input 1')]
  const words = fake.createBuffer({ label: 'words', size: STEPS * 4, usage: COPY_DST })
  type Encoder = ReturnType<FakeDevice['createCommandEncoder']>
  const matmul = {
    encode: (encoder: Encoder, times: number) => {
      for (let count = 0; count < times; count += 1) encoder.beginComputePass().end()
    },
  }
  const input = {
    staging,
    onDevice,
    bytes: 16,
    steps: STEPS,
    times: 2,
    batch: (index: number) => new Float32Array(4).fill(index + 1),
    arrived: Array.from({ length: STEPS }, (_, step) => ({
      encode: (encoder: Encoder) => {
        const from = onDevice[step % 2]
        if (from) encoder.copyBufferToBuffer(from, 0, words, step * 4, 4)
      },
    })),
    matmul,
    matmuls: [matmul, matmul],
  }
  const lab = {
    *steps(count: number) {
      for (let step = 0; step < count; step += 1) yield step
    },
    compute: <T>(_label: string, _flops: number, body: () => Promise<T>) => body(),
  }
  return {
    fake,
    // The fake has the members that the programs use.
    start: () => ({
      ended: programOf(name)({ device: fake as unknown as GPUDevice, lab, input }).then(() =>
        expect(fake.uncaptured).toEqual([]),
      ),
    }),
    count: (prefix) => fake.log.filter((line) => line.startsWith(prefix)).length,
    arrived: () => [...new Float32Array(wordsIn(words).buffer)],
  }
}

beforeEach(() => {
  vi.stubGlobal('GPUMapMode', { READ: 1, WRITE: 2 })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const EVERY_BATCH = Array.from({ length: STEPS }, (_, step) => step + 1)

describe('the programs of overlapped-uploads', () => {
  it.each([
    ['upload-only', 3, STEPS, 0],
    ['serial', 1, STEPS, 2 * STEPS],
    ['serial-split', 1, 2 * STEPS, 2 * STEPS],
    ['ring', 1, STEPS, 2 * STEPS],
    ['ring', 3, STEPS, 2 * STEPS],
    ['ring-split', 1, 2 * STEPS, 2 * STEPS],
    ['ring-split', 2, 2 * STEPS, 2 * STEPS],
  ] as const)(
    '%s with %i buffers: every batch arrives and is computed on',
    async (name, depth, submits, passes) => {
      const { start, count, arrived } = await setUp(name, depth, true)
      await start().ended
      expect(arrived()).toEqual(EVERY_BATCH)
      expect(count('submit')).toBe(submits)
      expect(count('pass')).toBe(passes)
    },
  )

  it('compute-only uploads nothing', async () => {
    const { start, count } = await setUp('compute-only', 0, true)
    await start().ended
    expect([count('submit'), count('pass'), count('copy')]).toEqual([STEPS, 2 * STEPS, 0])
  })

  // What the lesson is about: how many steps are under way before the host has to wait.
  it.each([
    ['compute-only', 0, STEPS],
    ['upload-only', 3, 3],
    ['serial', 1, 1],
    ['serial-split', 1, 2],
    ['ring', 1, 1],
    ['ring', 2, 2],
    ['ring', 4, 4],
    ['ring-split', 2, 4],
  ] as const)('%s with %i buffers submits %i times before it waits', async (name, depth, submits) => {
    const { fake, start, count } = await setUp(name, depth, false)
    let isOver = false
    const ended = start().ended.then(() => (isOver = true))
    await idle()
    expect(count('submit')).toBe(submits)
    expect(isOver).toBe(false)
    for (let look = 0; look < 4 * STEPS; look += 1) {
      fake.complete()
      await idle()
    }
    await ended
  })
})
