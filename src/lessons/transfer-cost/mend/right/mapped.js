// It writes into a mapped buffer, and the GPU copies from there.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  const staging = device.createBuffer({
    size: parts * bytes,
    usage: GPUBufferUsage.COPY_SRC,
    mappedAtCreation: true,
  })
  for (const step of lab.steps(parts)) {
    new Float32Array(staging.getMappedRange(step * bytes, bytes)).set(part(step))
  }
  staging.unmap()
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(staging, 0, target, 0, parts * bytes)
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
  staging.destroy()
}
