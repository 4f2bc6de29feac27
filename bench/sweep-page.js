/**
 * The page's half of `npm run bench -- sweep`: compiles variants of a matmul side by side, compares all entries of each with a plain
 * kernel's on the device, and times them in turn by the device's timestamps. Knows no kernel: modules come as text.
 */
const FILL = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
fn pcg(input: u32) -> u32 {
  let state = input * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) grid: vec3u) {
  for (var i = thread.x; i < params.x; i += grid.x * 256u) {
    out[i] = f32(pcg(i + params.y)) / 2147483648.0 - 1.0;
  }
}`
const PLAIN = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<atomic<u32>>;
// Rows in x of the grid's z: k is cut into as many runs as the grid is deep, added one after another by one thread.
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  if (thread.y >= params.x || thread.x >= params.y) { return; }
  var sum = 0.0;
  for (var k = 0u; k < params.z;) {
    var run = 0.0;
    for (let end = min(k + 512u, params.z); k < end; k += 1u) {
      run += a[thread.y * params.z + k] * b[k * params.y + thread.x];
    }
    sum += run;
  }
  atomicStore(&c[thread.y * params.y + thread.x], bitcast<u32>(sum));
}`
const COMPARE = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read> expected: array<f32>;
@group(0) @binding(2) var<storage, read> got: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<atomic<u32>, 2>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) grid: vec3u) {
  for (var i = thread.x; i < params.x; i += grid.x * 256u) {
    let error = abs(got[i] - expected[i]);
    if (!(error <= bitcast<f32>(params.y))) { atomicAdd(&out[0], 1u); }
    atomicMax(&out[1], bitcast<u32>(error));
  }
}`
const RESULTS = 4
const STORAGE = 0x80 | 0x4 | 0x8

async function open() {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw new Error('no adapter')
  const limits = {}
  for (const name of [
    'maxBufferSize',
    'maxStorageBufferBindingSize',
    'maxComputeWorkgroupStorageSize',
    'maxComputeInvocationsPerWorkgroup',
    'maxComputeWorkgroupSizeX',
  ])
    limits[name] = adapter.limits[name]
  const device = await adapter.requestDevice({
    requiredFeatures: ['timestamp-query'],
    requiredLimits: limits,
  })
  const faults = []
  device.addEventListener('uncapturederror', (event) => faults.push(event.error.message))
  const { vendor, architecture, description } = adapter.info
  const buffer = (size, usage = STORAGE) => device.createBuffer({ size: Math.ceil(size / 16) * 16, usage })
  const uniform = (words) => {
    const made = buffer(16, 0x40 | 0x8)
    device.queue.writeBuffer(made, 0, words)
    return made
  }
  async function compile(code, constants) {
    const module = device.createShaderModule({ code })
    return await device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, entryPoint: 'main', constants },
    })
  }
  const bind = (pipeline, buffers) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((one, binding) => ({ binding, resource: { buffer: one } })),
    })
  const fill = await compile(FILL)
  const plain = await compile(PLAIN)
  const compare = await compile(COMPARE)
  function once(pipeline, buffers, workgroups) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bind(pipeline, buffers))
    pass.dispatchWorkgroups(...workgroups)
    pass.end()
    device.queue.submit([encoder.finish()])
  }
  async function words(source, bytes) {
    const target = buffer(bytes, 0x1 | 0x8)
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(source, 0, target, 0, bytes)
    device.queue.submit([encoder.finish()])
    await target.mapAsync(1)
    const copy = target.getMappedRange().slice(0, bytes)
    target.destroy()
    return copy
  }
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
  const ticks = buffer(16, 0x200 | 0x4)

  let work = null
  async function prepare({ m, n, k }) {
    work?.buffers.forEach((one) => one.destroy())
    const a = buffer(m * k * 4)
    const b = buffer(k * n * 4)
    const expected = buffer(m * n * 4)
    const results = Array.from({ length: RESULTS }, () => buffer(m * n * 4))
    for (const [one, count, seed] of [
      [a, m * k, 1e9],
      [b, k * n, 2e9],
    ])
      once(fill, [uniform(new Uint32Array([count, seed, 0, 0])), one], [4096, 1, 1])
    once(
      plain,
      [uniform(new Uint32Array([m, n, k, 0])), a, b, expected],
      [Math.ceil(n / 16), Math.ceil(m / 16), 1],
    )
    await device.queue.onSubmittedWorkDone()
    work = {
      m,
      n,
      k,
      a,
      b,
      expected,
      results,
      buffers: [a, b, expected, ...results],
      variants: [],
      scratch: [],
    }
  }

  /** Compiles side by side; null or a message for each. */
  async function compileAll(variants) {
    const { m, n, k } = work
    const params = new DataView(new ArrayBuffer(16))
    ;[m, n, k].forEach((side, index) => params.setUint32(4 * index, side, true))
    params.setFloat32(12, 1, true)
    const given = uniform(params.buffer)
    const start = performance.now()
    const settled = await Promise.allSettled(
      variants.map(async (one) => ({
        steps: await Promise.all(one.steps.map(({ code, constants }) => compile(code, constants))),
      })),
    )
    const compileMs = performance.now() - start
    const most = Math.max(0, ...variants.map(({ scratchBytes }) => scratchBytes))
    const scratch = most > 0 ? work.results.map(() => buffer(most)) : []
    work.buffers.push(...scratch)
    work.variants = settled.map((outcome, index) => {
      if (outcome.status === 'rejected') return { error: String(outcome.reason?.message ?? outcome.reason) }
      const [first, second] = outcome.value.steps
      const { steps } = variants[index]
      return {
        rings: work.results.map((c, at) => {
          const made = [
            {
              pipeline: first,
              group: bind(first, [given, work.a, work.b, second ? scratch[at] : c]),
              workgroups: steps[0].workgroups,
            },
          ]
          if (second)
            made.push({
              pipeline: second,
              group: bind(second, [given, scratch[at], c]),
              workgroups: steps[1].workgroups,
            })
          return made
        }),
        products: 1,
      }
    })
    return { compileMs, errors: work.variants.map(({ error }) => error ?? null) }
  }

  function encode(pass, { rings }, products) {
    for (let product = 0; product < products; product += 1)
      for (const { pipeline, group, workgroups } of rings[product % RESULTS]) {
        pass.setPipeline(pipeline)
        pass.setBindGroup(0, group)
        pass.dispatchWorkgroups(...workgroups)
      }
  }

  /** Wrong entries of every result, and the largest error. */
  async function verify(index) {
    const { m, n, k } = work
    const variant = work.variants[index]
    const c = work.results[0]
    const clear = device.createCommandEncoder()
    clear.clearBuffer(c)
    device.queue.submit([clear.finish()])
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    encode(pass, variant, 1)
    pass.end()
    device.queue.submit([encoder.finish()])
    const allowed = new Float32Array([Math.max(1e-6, 2.4e-7 * k)])
    const params = new Uint32Array([m * n, new Uint32Array(allowed.buffer)[0], 0, 0])
    const out = buffer(16)
    once(compare, [uniform(params), work.expected, c, out], [1024, 1, 1])
    const read = await words(out, 8)
    out.destroy()
    if (faults.length > 0) throw new Error(faults.shift())
    return { wrong: new Uint32Array(read)[0], maxError: new Float32Array(read)[1] }
  }

  /** ms a product, by the device's clock, over so many products after as many that are not timed. */
  async function time(index, products, before) {
    const variant = work.variants[index]
    const encoder = device.createCommandEncoder()
    const warm = encoder.beginComputePass()
    encode(warm, variant, before)
    warm.end()
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    })
    encode(pass, variant, products)
    pass.end()
    encoder.resolveQuerySet(querySet, 0, 2, ticks, 0)
    device.queue.submit([encoder.finish()])
    const [from, until] = new BigUint64Array(await words(ticks, 16))
    if (faults.length > 0) throw new Error(faults.shift())
    return Number(until - from) / 1e6 / products
  }

  return {
    environment: () => ({ vendor, architecture, description, userAgent: navigator.userAgent, limits }),
    prepare,
    compileAll,
    verify,
    time,
  }
}

globalThis.sweep = open()
