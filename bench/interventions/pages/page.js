// Runs one pair of programs/: the variant 'found' or 'changed' alone, or both in turn, timed.
// `?calibrate` says how many rounds of the kernel take a ms: every page of a bench gets the same.
const query = new URLSearchParams(location.search)
const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
const device = await adapter.requestDevice()
const module = device.createShaderModule({
  code: `@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> rounds: u32;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var word = words[id.x];
  for (var i = 0u; i < rounds; i += 1u) { word = word * 1664525u + 1013904223u; }
  words[id.x] = word;
}`,
})
const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } })
const words = device.createBuffer({
  size: 4096,
  usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
})
let roundsPerMs = Number(query.get('rounds'))

/** A pass of about so many ms, for an encoder. */
function kernel(ms, label = 'kernel') {
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST
  const rounds = device.createBuffer({ size: 4, usage })
  device.queue.writeBuffer(rounds, 0, new Uint32Array([ms * roundsPerMs]))
  const entries = [words, rounds].map((buffer, binding) => ({ binding, resource: { buffer } }))
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries })
  return (encoder) => {
    const pass = encoder.beginComputePass({ label })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, group)
    pass.dispatchWorkgroups(16)
    pass.end()
  }
}

/** A submit of its own. */
function submit(...encode) {
  const encoder = device.createCommandEncoder()
  for (const each of encode) each(encoder)
  device.queue.submit([encoder.finish()])
}

/** Keeps the host at most two steps ahead of the GPU. */
function pacer() {
  const ahead = []
  return async () => {
    ahead.push(device.queue.onSubmittedWorkDone())
    if (ahead.length > 2) await ahead.shift()
  }
}

async function msOf(step, steps) {
  const from = performance.now()
  for (let at = 0; at < steps; at += 1) await step(at)
  await device.queue.onSubmittedWorkDone()
  return (performance.now() - from) / steps
}

async function calibrated() {
  roundsPerMs = 1
  for (let rounds = 1024; ; rounds *= 2) {
    const once = async () => submit(kernel(rounds))
    let ms = Infinity
    // The fastest of three: other programs only make it slower.
    for (let again = 0; again < 3; again += 1) ms = Math.min(ms, await msOf(once, 4))
    if (ms > 20) return rounds / ms
  }
}

async function measured() {
  const { default: make, steps } = await import(`./programs/${query.get('pair')}.js`)
  const variants = await make({ device, words, kernel, submit, pacer })
  const variant = query.get('variant')
  if (variant !== null) return { ms: await msOf(variants[variant], steps) }
  const ms = { found: [], changed: [] }
  // The first round warms up.
  for (let round = 0; round <= Number(query.get('measure')); round += 1)
    for (const name of round % 2 ? ['found', 'changed'] : ['changed', 'found']) {
      const each = await msOf(variants[name], steps)
      if (round > 0) ms[name].push(each)
    }
  return ms
}

const run = query.has('calibrate') ? calibrated : measured
globalThis.result = await run().catch(({ message }) => ({ error: message }))
globalThis.isDone = true
