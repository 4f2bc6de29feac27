// Fails 'finished': copies the parts out of a buffer of its own and returns before the copy has ended.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  const staging = device.createBuffer({
    size: parts * bytes,
    usage: GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC,
    mappedAtCreation: true,
  })
  const all = new Float32Array(staging.getMappedRange())
  for (const step of lab.steps(parts)) {
    all.set(part(step), (step * bytes) / 4)
  }
  staging.unmap()

  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(staging, 0, target, 0, parts * bytes)
  device.queue.submit([encoder.finish()])
}
