// All four seeds are in one buffer, and all kernels go in one submission.
const code = `
  @group(0) @binding(0) var<uniform> seed: u32;
  @group(0) @binding(1) var<storage, read_write> tensor: array<u32>;

  fn hash(input: u32) -> u32 {
    let state = input * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
  }

  @compute @workgroup_size(256)
  fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&tensor)) { // the last workgroup reaches beyond the end
      tensor[id.x] = hash(id.x + hash(seed));
    }
  }`
let pipeline = null // compiled once, in the warm-up

export default async function ({ device, lab, input }) {
  const { tensor, words, seeds, uses } = input
  pipeline ??= await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }) },
  })
  const seed = device.createBuffer({
    size: 256 * seeds.length,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  })
  const bindGroups = seeds.map((_, step) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: seed, offset: 256 * step, size: 4 } },
        { binding: 1, resource: { buffer: tensor } },
      ],
    }),
  )

  seeds.forEach((value, step) => device.queue.writeBuffer(seed, 256 * step, Uint32Array.of(value)))
  const encoder = device.createCommandEncoder()
  for (const step of lab.steps(seeds.length)) {
    const pass = encoder.beginComputePass({ label: 'random' })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroups[step])
    pass.dispatchWorkgroups(Math.ceil(words / 256))
    pass.end()
    uses[step].encode(encoder)
  }
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
  seed.destroy()
}
