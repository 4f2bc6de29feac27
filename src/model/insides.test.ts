/** What a program holds leads to nothing of the model's own, and what it forges is refused as a browser refuses it. */
import { describe, expect, it } from 'vitest'
import { h200 } from './cards/h200'
import { Machine } from './machine'
import { realmOf } from './realm'

const MAP_READ = 1
const COPY_SRC = 4
const COPY_DST = 8

/** One of everything that a program can hold, and the realm's classes. */
async function withAll<T>(look: (objects: ReturnType<typeof objectsOf>) => T | Promise<T>): Promise<T> {
  const { gpu, run } = realmOf(new Machine(h200))
  return await run(async () => {
    const adapter = await gpu.requestAdapter()
    const device = await adapter?.requestDevice()
    if (!adapter || !device) throw new Error('no device')
    return await look(objectsOf(adapter, device))
  })
}

function objectsOf(adapter: GPUAdapter, device: GPUDevice) {
  const buffer = device.createBuffer({ size: 2 ** 20, usage: COPY_SRC | COPY_DST, mappedAtCreation: true })
  const target = device.createBuffer({ size: 2 ** 20, usage: COPY_DST | MAP_READ })
  const module = device.createShaderModule({ code: '' })
  const pipeline = device.createComputePipeline({
    label: 'data/fill',
    layout: 'auto',
    compute: { module },
  })
  const layout = pipeline.getBindGroupLayout(0)
  const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: target } }] })
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  const commands = device.createCommandEncoder().finish()
  const range = buffer.getMappedRange()
  // oxfmt-ignore
  return { adapter, device, queue: device.queue, buffer, target, module, pipeline, layout, group, querySet, encoder, pass, commands, range }
}

it('gives objects without a property of their own', async () => {
  await withAll((objects) => {
    for (const [name, each] of Object.entries(objects))
      expect([name, Reflect.ownKeys(each)]).toEqual([name, []])
  })
})

it('has members of WebGPU and of ArrayBuffer alone on its prototypes', async () => {
  await withAll(({ buffer, commands, device, group, pipeline, querySet, queue, range }) => {
    const members = (each: object) =>
      Reflect.ownKeys(Reflect.getPrototypeOf(each) ?? {})
        .map(String)
        .sort()
    expect(members(range)).toEqual(['byteLength', 'constructor', 'slice'])
    expect(members(commands)).toEqual(['constructor'])
    expect(members(group)).toEqual(['constructor'])
    expect(members(querySet)).toEqual(['constructor', 'destroy'])
    expect(members(pipeline)).toEqual(['constructor', 'getBindGroupLayout'])
    expect(members(queue)).toEqual(['constructor', 'onSubmittedWorkDone', 'submit', 'writeBuffer'])
    // oxfmt-ignore
    expect(members(buffer)).toEqual(['constructor', 'destroy', 'getMappedRange', 'mapAsync', 'mapState', 'size', 'unmap', 'usage'])
    for (const internal of ['machine', 'timeline', 'raise', 'carry']) expect(internal in device).toBe(false)
  })
})

it('constructs nothing for a program', async () => {
  await withAll((objects) => {
    for (const each of Object.values(objects)) {
      const { constructor } = each as unknown as { readonly constructor: new (...args: object[]) => object }
      expect(() => new constructor(objects.device, { size: 4, usage: 8 })).toThrow(TypeError)
    }
  })
})

describe('a forged object', () => {
  type Objects = ReturnType<typeof objectsOf>
  /** What takes one of each kind, as `this` or as an argument. */
  const takers: Partial<Record<keyof Objects, (objects: Objects, forged: never) => unknown>> = {
    buffer: ({ queue }, forged) => {
      queue.writeBuffer(forged, 0, new Uint32Array(1))
    },
    target: ({ encoder, buffer }, forged) => {
      encoder.copyBufferToBuffer(buffer, 0, forged, 0, 4)
    },
    commands: ({ queue }, forged) => {
      queue.submit([forged])
    },
    pipeline: ({ pass }, forged) => {
      pass.setPipeline(forged)
    },
    group: ({ pass }, forged) => {
      pass.setBindGroup(0, forged)
    },
    layout: ({ device }, forged) => device.createBindGroup({ layout: forged, entries: [] }),
    module: ({ device }, forged) =>
      device.createComputePipeline({ layout: 'auto', compute: { module: forged } }),
    querySet: ({ encoder, target }, forged) => {
      encoder.resolveQuerySet(forged, 0, 1, target, 0)
    },
    range: ({ queue, target }, forged) => {
      queue.writeBuffer(target, 0, forged)
    },
    encoder: ({ device }, forged) => {
      device.createCommandEncoder.call(forged)
    },
    device: (_, forged: GPUDevice) => forged.createCommandEncoder(),
    queue: (_, forged: GPUQueue) => {
      forged.submit([])
    },
    pass: (_, forged: GPUComputePassEncoder) => {
      forged.dispatchWorkgroups(1)
    },
  }

  it.each(Object.keys(takers) as (keyof Objects)[])(
    'in place of a %s is refused with a TypeError',
    async (kind) => {
      await withAll((objects) => {
        const genuine: object = objects[kind]
        const forgeries = [
          Object.create(Reflect.getPrototypeOf(genuine)) as object,
          Object.create(genuine) as object,
          new Proxy(genuine, {}),
          { ...genuine },
          // Another kind's, with this one's methods.
          Object.setPrototypeOf(objects.device.createCommandEncoder().finish(), Reflect.getPrototypeOf(genuine)) as object, // oxfmt-ignore
        ].slice(0, kind === 'commands' ? -1 : undefined)
        for (const forged of forgeries)
          expect(() => takers[kind]?.(objects, forged as never)).toThrow(TypeError)
      })
    },
  )

  it('in place of a buffer, asked for a promise, rejects with one', async () => {
    await withAll(async ({ target }) => {
      const forged = Object.create(target) as GPUBuffer
      await expect(forged.mapAsync(MAP_READ)).rejects.toThrow(TypeError)
    })
  })
})

it('takes the numbers of an array that lies about them as they are', async () => {
  const read = await withAll(async ({ queue, target }) => {
    const bad = () => {
      throw new Error('called')
    }
    const lying = Uint32Array.of(5, 6)
    for (const name of ['length', 'byteLength', 'BYTES_PER_ELEMENT', 'buffer', 'slice', 'byteOffset'])
      Object.defineProperty(lying, name, { get: bad })
    queue.writeBuffer(target, 0, lying)
    await target.mapAsync(MAP_READ, 0, 8)
    return [...new Uint32Array(target.getMappedRange(0, 8))]
  })
  expect(read).toEqual([5, 6])
})
