// Found: each step makes the pipeline that it uses. Changed: they were made before, in parallel.
export const steps = 24

export default async function make({ device, words, submit, pacer }) {
  const pace = pacer()
  let made = 0
  const descriptor = () => {
    const constant = (made += 1)
    const code = `@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(words[id.x] % ${1000 + constant}u);
${Array.from({ length: 40 }, (_, at) => `  x = fma(x, ${at}.${constant}, sin(x + ${at}.0));`).join('\n')}
  words[id.x] = u32(x);
}`
    return { layout: 'auto', compute: { module: device.createShaderModule({ code }) } }
  }
  const use = (pipeline) => (encoder) => {
    const entries = [{ binding: 0, resource: { buffer: words } }]
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries })
    const pass = encoder.beginComputePass({ label: `variant` })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, group)
    pass.dispatchWorkgroups(16)
    pass.end()
  }
  const before = await Promise.all(
    Array.from({ length: steps }, () => device.createComputePipelineAsync(descriptor())),
  )
  return {
    async found() {
      submit(use(device.createComputePipeline(descriptor())))
      await pace()
    },
    async changed(step) {
      submit(use(before[step]))
      await pace()
    },
  }
}
