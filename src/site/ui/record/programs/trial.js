// Twelve steps: numbers go up, a kernel adds to them, and the host awaits each result before it begins the next step.
export async function trial(steps = 12) {
  const adapter = await navigator.gpu?.requestAdapter()
  if (!adapter) throw new Error('This browser offers no WebGPU adapter here.')
  const device = await adapter.requestDevice()
  const size = 4 * 2 ** 12
  const module = device.createShaderModule({
    code: `
      @group(0) @binding(0) var<storage, read_write> words: array<f32>;
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        for (var turn = 0u; turn < 4u; turn += 1u) { words[id.x] += 1.0; }
      }`,
  })
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } })
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage
  const buffer = device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST })
  const readback = device.createBuffer({ size, usage: MAP_READ | COPY_DST })
  const layout = pipeline.getBindGroupLayout(0)
  const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] })
  const numbers = new Float32Array(size / 4)
  let last

  for (let step = 0; step < steps; step += 1) {
    device.queue.writeBuffer(buffer, 0, numbers.fill(step))
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass({ label: 'add' })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, group)
    pass.dispatchWorkgroups(size / 4 / 64)
    pass.end()
    encoder.copyBufferToBuffer(buffer, 0, readback, 0, size)
    device.queue.submit([encoder.finish()])
    await readback.mapAsync(GPUMapMode.READ) // the wait
    last = new Float32Array(readback.getMappedRange(0, 4))[0]
    readback.unmap()
  }

  await device.queue.onSubmittedWorkDone()
  return last
}
