// Fails 'output': compiles the first seeds it sees into its kernel.
const code = `
  override seed: u32;
  @group(0) @binding(0) var<storage, read_write> tensor: array<u32>;

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
const pipelines = []

export default async function ({ device, lab, input }) {
  const { tensor, words, seeds, uses } = input
  const module = device.createShaderModule({ code })
  for (const [step, seed] of seeds.entries())
    pipelines[step] ??= await device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, constants: { seed } },
    })

  for (const step of lab.steps(seeds.length)) {
    const pipeline = pipelines[step]
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: tensor } }],
    })

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    const pass = encoder.beginComputePass({ label: 'random' })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroup)
    pass.dispatchWorkgroups(Math.ceil(words / 256))
    pass.end()
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
