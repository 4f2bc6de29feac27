/**
 * The model's promises about order, time, programs that do not end, ranks, and the realm that it
 * stands in for.
 */
import { describe, expect, it, vi } from 'vitest'
import type { RankProgram } from '../lab/lab'
import { ModelBuffer } from './buffer'
import { h200 } from './machines/h200'
import { Machine } from './machine'
import { ModelledRanks } from './ranks'
import { realmOf } from './realm'

const MAP_READ = 1
const COPY_SRC = 4
const COPY_DST = 8

/** A program on a machine of its own, and the virtual time that it took. */
async function modelled<T>(
  program: (device: GPUDevice, now: () => number, note: (what: string) => void) => Promise<T>,
) {
  const machine = new Machine(h200)
  const { gpu, run } = realmOf(machine)
  const notes: string[] = []
  const value = await run(async () => {
    const device = await (
      await gpu.requestAdapter()
    )?.requestDevice({ requiredFeatures: ['timestamp-query'] })
    if (!device) throw new Error('no device')
    return await program(
      device,
      () => machine.clock.now,
      (what) => notes.push(what),
    )
  })
  return { value, notes, ns: machine.clock.now }
}

async function spin(device: GPUDevice, iterations: number, label = 'calibrate/spin') {
  const usage = COPY_SRC | COPY_DST
  const uniforms = device.createBuffer({ size: 16, usage })
  const results = device.createBuffer({ size: 256, usage })
  device.queue.writeBuffer(uniforms, 0, Uint32Array.of(iterations, 0, 0, 0))
  const module = device.createShaderModule({ code: '' })
  const pipeline = await device.createComputePipelineAsync({
    label,
    layout: 'auto',
    compute: { module },
  })
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [uniforms, results].map((buffer, binding) => ({ binding, resource: { buffer } })),
  })
  const submit = (timestampWrites?: GPUComputePassTimestampWrites) => {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {})
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroup)
    pass.dispatchWorkgroups(1)
    pass.end()
    device.queue.submit([encoder.finish()])
  }
  return { submit, results }
}

describe('time', () => {
  const loop = () =>
    modelled(async (device) => {
      const { submit } = await spin(device, 100_000)
      for (let step = 0; step < 5; step += 1) {
        submit()
        await device.queue.onSubmittedWorkDone()
      }
    })

  it('is the same to the nanosecond, whenever it is modelled', async () =>
    expect((await loop()).ns).toBe((await loop()).ns))

  it('of submit() is not the kernel’s, and that of a wait ends on a poll', async () => {
    const { value } = await modelled(async (device, now) => {
      const waitAfter = async (iterations: number) => {
        const { submit } = await spin(device, iterations)
        await device.queue.onSubmittedWorkDone()
        const start = now()
        submit()
        const submitNs = now() - start
        await device.queue.onSubmittedWorkDone()
        return { submitNs, waitNs: now() - start }
      }
      const { spinNs } = h200.device
      return [await waitAfter(2e5 / spinNs), await waitAfter(1.5e6 / spinNs), await waitAfter(3e6 / spinNs)]
    })
    const [short, longer, long] = value
    expect(short?.submitNs).toBeCloseTo(long?.submitNs ?? 0, 3)
    // Both end before the first poll: that is when they are reported.
    expect(longer?.waitNs).toBeCloseTo(short?.waitNs ?? 0, 3)
    expect((long?.waitNs ?? 0) - (short?.waitNs ?? 0)).toBeCloseTo(h200.process.pollNs, 0)
  })
})

describe('order', () => {
  it('is that of the queue: a map waits for all that was submitted before it', async () => {
    const { notes, value } = await modelled(async (device, _now, note) => {
      const { submit, results } = await spin(device, 1_000_000)
      const readback = device.createBuffer({ size: 256, usage: MAP_READ | COPY_DST })
      submit()
      const encoder = device.createCommandEncoder()
      encoder.copyBufferToBuffer(results, 0, readback, 0, 256)
      device.queue.submit([encoder.finish()])
      const mapped = readback.mapAsync(MAP_READ).then(() => note('mapped'))
      const done = device.queue.onSubmittedWorkDone().then(() => note('done'))
      note('returned')
      await Promise.all([mapped, done])
      return new Float32Array(readback.getMappedRange())[0]
    })
    expect(notes).toEqual(['returned', 'mapped', 'done'])
    expect(value).toBe(1) // what the kernel wrote
  })

  it('of timestamps is that of the passes', async () => {
    const { value } = await modelled(async (device) => {
      const { submit } = await spin(device, 10_000)
      const querySet = device.createQuerySet({ type: 'timestamp', count: 6 })
      for (const index of [0, 2, 4])
        submit({ querySet, beginningOfPassWriteIndex: index, endOfPassWriteIndex: index + 1 })
      const resolved = device.createBuffer({ size: 256, usage: COPY_SRC })
      const readback = device.createBuffer({ size: 256, usage: MAP_READ | COPY_DST })
      const encoder = device.createCommandEncoder()
      encoder.resolveQuerySet(querySet, 0, 6, resolved, 0)
      encoder.copyBufferToBuffer(resolved, 0, readback, 0, 48)
      device.queue.submit([encoder.finish()])
      await readback.mapAsync(MAP_READ)
      return [...new BigUint64Array(readback.getMappedRange().slice(0, 48))]
    })
    expect(value).toEqual(value.toSorted((one, other) => Number(one - other)))
    expect(new Set(value).size).toBe(6)
  })
})

describe('a program that does not end', () => {
  it('because it waits for nothing of WebGPU’s, is ended with that', async () =>
    await expect(modelled(() => new Promise(() => undefined))).rejects.toThrow("not WebGPU's"))

  it('because it polls, is ended after so many calls, also where it catches that', async () => {
    const polls = modelled((device) => {
      for (;;)
        try {
          device.createCommandEncoder()
        } catch {
          return new Promise(() => undefined)
        }
    })
    await expect(polls).rejects.toThrow('calls and not ended')
  })
})

it('refuses what WebGPU refuses: a submission that uses a mapped buffer', async () => {
  const { value } = await modelled(async (device) => {
    const buffer = device.createBuffer({ size: 16, usage: MAP_READ | COPY_DST, mappedAtCreation: true })
    const encoder = device.createCommandEncoder()
    encoder.clearBuffer(buffer)
    device.pushErrorScope('validation')
    device.queue.submit([encoder.finish()])
    return (await device.popErrorScope())?.message
  })
  expect(value).toContain('cannot be submitted')
})

it('does not know a kernel that is not the lab’s', async () => {
  const own = modelled(async (device) => {
    const { submit } = await spin(device, 1, 'mine')
    submit()
    await device.queue.onSubmittedWorkDone()
  })
  await expect(own).rejects.toThrow("does not know the kernel 'mine'")
})

it('lets ranks go on that compute over many turns, and a second run after one that ended', async () => {
  const program: RankProgram = async ({ rank, send, recv, lab }) => {
    if (rank === 0) {
      await lab.compute('slow', 5, async () => {
        for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setTimeout(done, 1))
      })
      await send(1, new Uint8Array(4))
    } else await recv(0, new Uint8Array(4))
  }
  const ranks = new ModelledRanks(2)
  await ranks.run(program, () => null)
  await ranks.run(program, () => null)
  expect(ranks.now).toEqual([10, 10])
})

/** In a worker whose browser has WebGPU too. */
class OfBrowser {
  lose(): void {
    // The model has no such class.
  }
}
const seen = (name: string): unknown => (globalThis as unknown as Readonly<Record<string, unknown>>)[name]

it('hides classes of the browser’s own, puts the model’s in place, and gives both back', async () => {
  const names = ['GPUExternalTexture', 'GPUBuffer']
  for (const name of names) vi.stubGlobal(name, OfBrowser)
  const { run } = realmOf(new Machine(h200))
  const [unknown, buffer] = await run(() => Promise.resolve(names.map(seen)))
  expect(unknown).toBeUndefined()
  expect(buffer).toBe(ModelBuffer)
  expect(names.map(seen)).toEqual([OfBrowser, OfBrowser])
})
