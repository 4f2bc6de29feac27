// Each seed has a buffer of its own, which the host writes when it creates it.
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
  const made = seeds.map((value) => {
    const seed = device.createBuffer({ size: 4, usage: GPUBufferUsage.UNIFORM, mappedAtCreation: true })
    new Uint32Array(seed.getMappedRange())[0] = value
    seed.unmap()
    return seed
  })
  const bindGroups = made.map((seed) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [seed, tensor].map((buffer, binding) => ({ binding, resource: { buffer } })),
    }),
  )

  for (const step of lab.steps(seeds.length)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    const pass = encoder.beginComputePass({ label: 'random' })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroups[step])
    pass.dispatchWorkgroups(Math.ceil(words / 256))
    pass.end()
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
  for (const seed of made) seed.destroy()
}
