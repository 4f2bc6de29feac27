/** The API of programs, on the fake device under the recorder. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readWords, USAGE, type Dispatch } from '../gpu'
import { openFakeContext } from '../gpu/testing/fake-device'
import { stubWebGpu } from '../experiments/testing/tiny'
import { spansOf } from '../recorder/testing/spans'
import { checkProduct, checkProductOnDevice, mergeVerifications, positionsOf } from './check-product'
import { createLab } from './lab'
import { createMatmul, createPass } from './matmul'
import { createOperands } from './operands'
import { createReadback, createStaging } from './staging'

beforeEach(stubWebGpu)

const open = () => openFakeContext({ passNs: 10_000, gapNs: 1000 })

describe('lab.steps', () => {
  it('counts, and what is called while a number is out belongs to that step', async () => {
    const { context } = open()
    const trace = await context.use(async ({ session, device }) => {
      session.tag = { variant: 'a', repeat: 2, step: -1 }
      const lab = createLab(session)
      const seen: number[] = []
      for (const step of lab.steps(3)) {
        seen.push(step)
        device.gpu.queue.submit([device.gpu.createCommandEncoder().finish()])
        // A promise that resolves later keeps the step in which it was asked for.
        if (step === 1) device.gpu.queue.onSubmittedWorkDone().catch(() => undefined)
      }
      expect(seen).toEqual([0, 1, 2])
      expect([...lab.steps(0)]).toEqual([])
      await session.collect()
      return session.freeze()
    })
    const submits = spansOf(trace, { role: 'submit' })
    expect(submits.map(({ step }) => step)).toEqual([0, 1, 2])
    expect(submits.map(({ index }) => trace.spans.repeat[index])).toEqual([2, 2, 2])
  })

  it('marks what the host computes, with its work, and gives its value', async () => {
    const { context } = open()
    await context.use(async ({ session }) => {
      const value = await createLab(session).compute('product', 64, () => Promise.resolve(7))
      expect(value).toBe(7)
      const [span] = spansOf(session.freeze(), { role: 'compute' })
      expect(span).toMatchObject({ kind: 'host-work', name: 'product' })
      expect(session.freeze().spans.flops[span?.index ?? -1]).toBe(64)
      await expect(
        createLab(session).compute('product', 64, () => Promise.reject(new Error('no'))),
      ).rejects.toThrow('no')
    })
  })
})

/** A kernel without buffers. */
const bound = (device: GPUDevice) => {
  const module = device.createShaderModule({ code: '' })
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } })
  const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [] })
  return { pipeline, bindGroup }
}

describe('matmul', () => {
  it('is one pass with its work, once or several times in it', async () => {
    const { context, fake } = open()
    await context.use(async ({ session, device }) => {
      const dispatchWorkgroups = vi.fn((..._workgroups: (number | undefined)[]) => undefined)
      const c = await context.buffer('C', 16, USAGE.storage)
      const dispatch = {
        label: 'm',
        ...bound(device.gpu),
        workgroups: [2, 3, 1] as const,
        uniforms: c,
        second: null,
        owned: [c],
      }
      const facts = { label: 'matmul 2³', rows: 2, columns: 2, c: c.gpu, flops: 16, bytes: 48 }
      const matmul = createMatmul(session, dispatch, facts)
      expect(matmul).toMatchObject({ rows: 2, columns: 2, flops: 16, bytes: 48 })
      for (const times of [undefined, 3]) {
        const encoder = device.gpu.createCommandEncoder()
        const begin = encoder.beginComputePass.bind(encoder)
        vi.spyOn(encoder, 'beginComputePass').mockImplementation((descriptor) => {
          const pass = begin(descriptor)
          vi.spyOn(pass, 'dispatchWorkgroups').mockImplementation(dispatchWorkgroups)
          return pass
        })
        matmul.encode(encoder, times)
        device.gpu.queue.submit([encoder.finish()])
      }
      const encoder = device.gpu.createCommandEncoder()
      createPass(dispatch, 'a branch').encode(encoder)
      device.gpu.queue.submit([encoder.finish()])
      await session.collect()
      expect(dispatchWorkgroups.mock.calls).toEqual([1, 2, 3, 4].map(() => [2, 3, 1]))
      const trace = session.freeze()
      const passes = spansOf(trace, { role: 'pass' })
      expect(passes.map(({ name }) => name)).toEqual(['matmul 2³', 'matmul 2³', 'a branch'])
      expect(passes.map(({ index, bytes }) => [trace.spans.flops[index], bytes])).toEqual([
        [16, 48],
        [48, 144],
        [Number.NaN, Number.NaN],
      ])
      expect(fake.log.filter((line) => line === 'pass')).toHaveLength(3)
    })
  })

  it('of two dispatches is both of them, each time', async () => {
    const { context } = open()
    await context.use(async ({ session, device }) => {
      const c = await context.buffer('C', 16, USAGE.storage)
      const one = (x: number, second: Dispatch | null): Dispatch => ({
        label: 'm',
        ...bound(device.gpu),
        workgroups: [x, 1, 1],
        uniforms: c,
        second,
        owned: [c],
      })
      const facts = { label: 'matmul 2³', rows: 2, columns: 2, c: c.gpu, flops: 16, bytes: 48 }
      const encoder = device.gpu.createCommandEncoder()
      const begin = encoder.beginComputePass.bind(encoder)
      const called: unknown[] = []
      vi.spyOn(encoder, 'beginComputePass').mockImplementation((descriptor) => {
        const pass = begin(descriptor)
        vi.spyOn(pass, 'setPipeline').mockImplementation(() => void called.push('pipeline'))
        vi.spyOn(pass, 'dispatchWorkgroups').mockImplementation((x) => void called.push(x))
        return pass
      })
      createMatmul(session, one(16, one(2, null)), facts).encode(encoder, 2)
      expect(called).toEqual(['pipeline', 16, 'pipeline', 2, 'pipeline', 16, 'pipeline', 2])
    })
  })
})

describe('operands', () => {
  it('are all different, each word of them known without being stored twice', () => {
    const operands = createOperands(64, 5, 3)
    const words = Array.from({ length: 5 }, (_, index) => [...operands.of(index)])
    for (const [index, own] of words.entries()) {
      expect(own).toHaveLength(64)
      expect(own.map((_, position) => operands.valueAt(index, position))).toEqual(own)
      for (const other of words.slice(index + 1))
        expect(own.some((word, at) => word === other[at])).toBe(false)
    }
    expect([...createOperands(64, 5, 4).of(0)]).not.toEqual(words[0])
    expect([...operands.of(2, 8)]).toEqual(words[2]?.slice(0, 8))
    expect(operands.valueAt(100, 0)).toBeNaN()
  })
})

describe('staging', () => {
  it('is mapped to the count asked for, whatever the window before left behind', async () => {
    const { context } = open()
    await context.use(async () => {
      const { buffers, map, unmap } = await createStaging(context, 3, 16)
      const states = () => buffers.map(({ mapState }) => mapState)
      await map(2)
      expect(states()).toEqual(['mapped', 'mapped', 'unmapped'])
      // One is left mapped, one unmapped, one pending.
      buffers[1]?.unmap()
      const pending = buffers[2]?.mapAsync(2)
      await map(3)
      await pending
      expect(states()).toEqual(['mapped', 'mapped', 'mapped'])
      buffers[0]?.unmap()
      const late = buffers[0]?.mapAsync(2)
      await unmap()
      await late
      expect(states()).toEqual(['unmapped', 'unmapped', 'unmapped'])
      expect((await createReadback(context, 8)).size).toBe(8)
    })
  })

  it('maps as many bytes as asked for, whatever part the window before had mapped', async () => {
    const { context } = open()
    await context.use(async () => {
      const { buffers, map } = await createStaging(context, 1, 32)
      const [buffer] = buffers
      for (const bytes of [8, 16, 4]) {
        await map(1, bytes)
        expect(buffer?.getMappedRange(0, bytes).byteLength).toBe(bytes)
        expect(() => buffer?.getMappedRange(0, bytes + 4)).toThrow('not mapped')
      }
    })
  })
})

describe('checks of a product', () => {
  /** A = 1 everywhere, B = the column's number: C = times · k · column. */
  const term = { aAt: () => 1, bAt: (_: number, column: number) => column, times: 2 }
  const expected = { rows: 4, columns: 4, k: 8, terms: [term, { ...term, times: 1 }] }
  const positions = positionsOf(expected, 6, 1)
  const right = positions.map(([, column]) => 24 * column)

  it('hold for what is right, and count each entry that is not or is no number', () => {
    expect(checkProduct(expected, positions, right, 'C')).toMatchObject({
      checked: positions.length,
      failed: 0,
      what: 'C',
    })
    const at = positions.findIndex(([, column]) => column > 0)
    for (const wrong of [0, Number.NaN, (right[at] ?? 0) * (2 / 3)])
      expect(checkProduct(expected, positions, right.with(at, wrong), 'C').failed).toBe(1)
    expect(() => checkProduct(expected, positions, [], 'C')).toThrow('0 values')
  })

  it('look at the words of a buffer on the device', async () => {
    const { context, fake } = open()
    await context.use(async () => {
      const c = await context.buffer('C', 64, USAGE.copySrc)
      const data = new Float32Array(16).map((_, index) => 24 * (index % 4))
      const write = () => {
        const contents = fake.buffers.find(({ label }) => label === 'C')?.memory.contents
        contents?.writeData(0, new Uint32Array(data.buffer.slice(0)))
      }
      write()
      const check = () => checkProductOnDevice(context, c, expected, { samples: 6, seed: 1, what: 'C' })
      expect(await check()).toMatchObject({ checked: positions.length, failed: 0 })
      expect([...new Float32Array((await readWords(context, c, [1, 6])).buffer)]).toEqual([24, 48])
      data.fill(5)
      write()
      expect((await check()).failed).toBe(positions.length)
    })
  })

  it('of several windows are one, with the worst of each', () => {
    const one = { checked: 2, failed: 0, maxRelativeError: 0.1, tolerance: 0.5, what: 'C' }
    expect(
      mergeVerifications([one, { ...one, failed: 1, maxRelativeError: 0.7 }, { ...one, what: 'A' }]),
    ).toEqual({
      checked: 6,
      failed: 1,
      maxRelativeError: 0.7,
      tolerance: 0.5,
      what: 'C; A',
    })
    expect(mergeVerifications([])).toMatchObject({ checked: 0, failed: 0 })
  })
})
