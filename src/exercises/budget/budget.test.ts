import { afterEach, describe, expect, it } from 'vitest'
import { startRecording } from '../../recorder/session'
import { asDevice, record, stopRecording } from '../../recorder/testing/record'
import { FakeDevice, fakeRealm } from '../../testing/fake-webgpu'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import { createBudget, type Budget } from './budget'
import { limitsFor, countOf, type Limits } from './limits'

const LIMITS: Limits = {
  bytes: 2 ** 30,
  commands: 1000,
  pipelines: 20,
  writes: 1e6,
  copies: 4e9,
  iterations: 1e6,
  givenMs: 4000,
  invocationsPerWorkgroup: 256,
}

let restore: () => void = () => undefined
afterEach(() => {
  restore()
  restore = () => undefined
  stopRecording()
})

interface Setup {
  readonly budget: Budget
  readonly device: GPUDevice
  readonly fake: FakeDevice
}
function setUp(limits: Partial<Limits> = {}): Setup {
  const fake = new FakeDevice()
  const budget = createBudget({ ...LIMITS, ...limits }, fakeRealm)
  restore = budget.install()
  budget.open()
  return { budget, device: asDevice(fake), fake }
}

const KERNEL = '@compute @workgroup_size(10) fn main() { }'
const pipelineOf = (device: GPUDevice, code = KERNEL, entryPoint?: string): GPUComputePipeline =>
  device.createComputePipeline({
    layout: 'auto',
    compute: {
      module: device.createShaderModule({ code }),
      ...(entryPoint === undefined ? {} : { entryPoint }),
    },
  })
function passOf(device: GPUDevice, pipeline: GPUComputePipeline): GPUComputePassEncoder {
  const pass = device.createCommandEncoder().beginComputePass()
  pass.setPipeline(pipeline)
  return pass
}

describe('GPU memory', () => {
  it('is what lives: destroy() gives it back, once', () => {
    const { budget, device, fake } = setUp({ copies: 1e15 })
    const size = 400 * 2 ** 20
    const buffers = [0, 1].map(() => device.createBuffer({ size, usage: 8 }))
    expect(budget.spent.bytes).toBe(2 * size)
    const refused = 'Your program asked for 1.17 GiB of GPU memory; an exercise may use 1 GiB.'
    expect(() => device.createBuffer({ size, usage: 8, mappedAtCreation: true })).toThrow(refused)
    expect(budget.violation).toBe(refused)
    expect(fake.buffers).toHaveLength(2)
    buffers[0]?.destroy()
    buffers[0]?.destroy()
    expect(budget.spent.bytes).toBe(size)
    device.createBuffer({ size: 1e6, usage: 8 })
    // The first refusal stays.
    expect(() => device.createBuffer({ size: 64 * 2 ** 30, usage: 8 })).toThrow('64.4 GiB')
    expect(budget.violation).toBe(refused)
  })

  it("is not taken by a buffer that could not be made, nor given back by one that is the lab's", () => {
    const labs = asDevice(new FakeDevice()).createBuffer({ size: 16, usage: 8 })
    const { budget, device } = setUp({ bytes: 1e17, copies: 1e17 })
    expect(() => device.createBuffer({ size: 2 ** 54, usage: 8 })).toThrow(TypeError) // of the browser
    labs.destroy()
    expect(budget.spent.bytes).toBe(0)
  })

  it('bounds what new buffers, copies and clears move, with a buffer’s own size', () => {
    const { budget, device } = setUp({ copies: 1000 })
    const [from, to] = [0, 1].map(() => device.createBuffer({ size: 100, usage: 12 }))
    if (!from || !to) throw new Error('no buffers')
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(from, 0, to, 0, 40)
    encoder.copyBufferToBuffer(from, to)
    encoder.copyBufferToBuffer(from, to, 60)
    encoder.clearBuffer(to)
    encoder.clearBuffer(to, 8, 12)
    expect(budget.spent.copies).toBe(200 + 40 + 100 + 60 + 100 + 12)
    expect(() => {
      for (let i = 0; i < 10; i += 1) encoder.copyBufferToBuffer(from, to)
    }).toThrow('Your program made and copied buffers of 1010 bytes in all; an exercise may use 1000 bytes.')
  })

  it('bounds uploads, in bytes of whatever kind of data', () => {
    const { budget, device } = setUp()
    const buffer = device.createBuffer({ size: 1000, usage: 8 })
    const floats = new Float32Array(10)
    const writes: readonly (readonly [number, readonly unknown[]])[] = [
      [40, [floats]],
      [32, [floats, 2]],
      [12, [floats, 2, 3]],
      [16, [new ArrayBuffer(16)]],
      [12, [new ArrayBuffer(16), 4]],
      [8, [new ArrayBuffer(16), 4, 8]],
      [16, [new DataView(new ArrayBuffer(32), 16)]],
      [16, [new SharedArrayBuffer(16)]],
      [0, [new Uint8Array(0)]],
    ]
    for (const [bytes, [data, ...rest]] of writes) {
      const before = budget.spent.writes
      device.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>, ...(rest as number[]))
      expect(budget.spent.writes - before).toBe(bytes)
    }
    expect(() => device.queue.writeBuffer(buffer, 0, {} as ArrayBuffer)).toThrow(TypeError)
    expect(() => {
      for (let i = 0; i < 1e6; i += 1) device.queue.writeBuffer(buffer, 0, floats)
    }).toThrow('Your program uploaded 977 KiB with writeBuffer(); an exercise may upload 977 KiB.')
  })
})

describe('commands', () => {
  it.each<readonly ['commands' | 'pipelines', (device: GPUDevice) => unknown]>([
    ['commands', (device) => device.queue.submit([])],
    ['commands', (device) => device.createCommandEncoder()],
    ['commands', (device) => device.createCommandEncoder().beginComputePass()],
    ['pipelines', (device) => pipelineOf(device)],
  ])('%s are bounded: %s', (kind, call) => {
    const { budget, device } = setUp({ [kind]: 5 })
    expect(() => {
      for (let i = 0; i < 7; i += 1) call(device)
    }).toThrow(/^Your program made too many .*; an exercise may make 5/)
    expect(budget.spent[kind]).toBe(5)
  })

  it('cost their length for each invocation, and no less than a device that is not full takes', () => {
    const { budget, device } = setUp()
    const pass = passOf(device, pipelineOf(device))
    pass.dispatchWorkgroups(100, 200)
    expect(budget.spent.iterations).toBe(200_000)
    pass.dispatchWorkgroups(1)
    expect(budget.spent.iterations).toBe(200_000 + 2 ** 14)
    const long = passOf(device, pipelineOf(device, KERNEL.replace('{ }', `{ ${'x = y + z;'.repeat(32)} }`)))
    long.dispatchWorkgroups(1)
    expect(budget.spent.iterations).toBe(200_000 + 7 * 2 ** 14)
    expect(() => {
      for (let i = 0; i < 100; i += 1) pass.dispatchWorkgroups(10_000)
    }).toThrow(
      'Your kernels could take as long as 1.01 million iterations; an exercise may run 1 million in a call.',
    )
    expect(() => pass.dispatchWorkgroups(65535, 65535, 65535)).toThrow('trillion iterations')
    expect(budget.spent.iterations).toBeLessThanOrEqual(1e6)
  })

  it('take the device’s largest workgroup where the size is not known, and refuse what is not WGSL', async () => {
    const { budget, device } = setUp()
    const code =
      'override N = 1; @compute @workgroup_size(N) fn one() { } @compute @workgroup_size(2) fn two() { }'
    const module = device.createShaderModule({ code })
    const pipeline = await device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, entryPoint: 'one' },
    })
    passOf(device, pipeline).dispatchWorkgroups(1000)
    expect(budget.spent.iterations).toBe(256_000)
    passOf(device, pipelineOf(device, code, 'two')).dispatchWorkgroups(10_000)
    expect(budget.spent.iterations).toBe(276_000)
    expect(() => passOf(device, pipelineOf(device, code, 'three')).dispatchWorkgroups(1)).toThrow(
      'does not know what this pass runs',
    )
    expect(() => passOf(device, pipelineOf(device, 'fn main() { loop }')).dispatchWorkgroups(1)).toThrow(
      "The lab could not read your WGSL, so it is not run (line 1: Behind 'loop' a body in braces is missing.)",
    )
  })

  it("of the lab's pipelines cost the time that they were measured to take", () => {
    const { budget, device } = setUp()
    const pipeline = {} as GPUComputePipeline
    budget.given(pipeline, { workgroups: 1, ms: 0.5 })
    const pass = passOf(device, pipeline)
    pass.dispatchWorkgroups(10, 100)
    expect(budget.spent).toMatchObject({ givenMs: 500, iterations: 0 })
    expect(() => pass.dispatchWorkgroups(8000)).toThrow(
      "about 4.5 s of the lab's kernels; an exercise may use 4 s in a call.",
    )
  })

  it('of shapes that share a pipeline cost the time of each', () => {
    const { budget, device } = setUp()
    const pipeline = {} as GPUComputePipeline
    budget.given(pipeline, { workgroups: 100, ms: 10 })
    budget.given(pipeline, { workgroups: 2, ms: 8 })
    const pass = passOf(device, pipeline)
    pass.dispatchWorkgroups(100)
    pass.dispatchWorkgroups(2)
    expect(budget.spent.givenMs).toBe(18)
    pass.dispatchWorkgroups(3) // of no shape: at the dearest rate
    expect(budget.spent.givenMs).toBe(30)
  })

  it('of a pipeline that nobody named are refused while a program runs', () => {
    const { budget, device } = setUp()
    const stolen = {} as GPUComputePipeline
    const pass = passOf(device, stolen)
    expect(() => pass.dispatchWorkgroups(1)).toThrow('does not know what this pass runs')
    budget.close()
    passOf(device, stolen).dispatchWorkgroups(1)
  })

  it('count from nothing in each call of the program, by the time that kernels take', () => {
    const { budget, device } = setUp()
    const pipeline = {} as GPUComputePipeline
    budget.given(pipeline, { workgroups: 1, ms: 1 })
    for (let call = 0; call < 3; call += 1) {
      budget.open()
      passOf(device, pipeline).dispatchWorkgroups(3000)
      budget.close()
    }
    expect(budget.violation).toBeNull()
  })

  it.each([
    [
      'dispatchWorkgroupsIndirect',
      (device: GPUDevice) => {
        device
          .createCommandEncoder()
          .beginComputePass()
          .dispatchWorkgroupsIndirect({} as GPUBuffer, 0)
      },
    ],
    ['Query sets', (device: GPUDevice) => device.createQuerySet({ type: 'timestamp', count: 4 })],
    ['Textures', (device: GPUDevice) => device.createTexture({} as GPUTextureDescriptor)],
    [
      'Render passes',
      (device: GPUDevice) => device.createCommandEncoder().beginRenderPass({ colorAttachments: [] }),
    ],
  ])('%s cannot be used', (name, call) => {
    const { budget, device } = setUp()
    expect(() => call(device)).toThrow(name)
    expect(budget.violation).toContain('cannot be used')
  })
})

describe('shader modules', () => {
  it('that are not read make no pipeline', () => {
    const { device } = setUp()
    // A compiler needs minutes for this many in one, even the browser's own.
    const code = `@compute @workgroup_size(1) fn main() { ${'output[0] += 1u; '.repeat(4000)} }`
    const huge = device.createShaderModule({ code })
    expect(() => device.createComputePipeline({ layout: 'auto', compute: { module: huge } })).toThrow(
      'With its calls written out, the function main has more than 22400 words and signs.',
    )
    expect(() => device.createShaderModule({ code: ' '.repeat(200_001) })).toThrow('200,000 characters')
    const others = {} as GPUShaderModule
    expect(() => device.createComputePipeline({ layout: 'auto', compute: { module: others } })).toThrow(
      'does not know',
    )
  })

  it('have no loops: the first is named by its line', () => {
    const { budget, device, fake } = setUp()
    const code = '@compute @workgroup_size(1)\nfn main() {\n  for (;;) { }\n}'
    expect(() => device.createShaderModule({ code })).toThrow('Line 3 of your WGSL is a loop')
    expect(budget.violation).toContain('Line 3')
    expect(fake.wgsl).toEqual([])
  })
})

describe('installing', () => {
  const prototypes = Object.entries(fakeRealm)
    .filter(([name]) => name.startsWith('GPU'))
    .map(([, member]) => (member as typeof FakeDevice).prototype)
  // In lists: an object with a property Symbol.iterator is compared as what it is not, an iterable.
  const all = () =>
    prototypes.map((prototype) =>
      Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)]),
    )

  it('puts every descriptor back exactly as it was', () => {
    const before = all()
    setUp()
    expect(all()).not.toEqual(before)
    restore()
    expect(all()).toEqual(before)
  })

  it('stands outside a recorder: what is refused is not recorded', async () => {
    const { session, device } = record()
    const budget = createBudget({ ...LIMITS, commands: 4 }, fakeRealm)
    restore = budget.install()
    budget.open()
    const submit = (): void => device.queue.submit([device.createCommandEncoder().finish()])
    submit()
    submit()
    expect(submit).toThrow('too many')
    await session.collect()
    restore()
    session.stop()
    const { spans } = session.freeze()
    expect(spans.start.length).toBeGreaterThan(0)
    const { commands, bytes } = budget.spent
    expect([commands, bytes]).toEqual([4, 0]) // the recorder's own buffers and submissions go past it
    expect(() => startRecording({ info: testInfo, hostStepUs: 5, realm: fakeRealm }).stop()).not.toThrow()
  })
})

it('a call on a GPU may queue less than two seconds, at the 3 ms that a report takes in Chromium', () => {
  const { givenMs } = limitsFor(4, 1, 3, { limits: {}, isSoftware: false })
  expect(givenMs).toBeLessThan(2000)
})

it.each([
  [5, '5'],
  [123_456, '123,456'],
  [2.5e6, '2.5 million'],
  [3e9, '3 billion'],
])('writes %d as people do', (value, words) => expect(countOf(value)).toBe(words))
