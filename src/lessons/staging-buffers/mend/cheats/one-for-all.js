// Fails 'buffers': one buffer, as large as all batches together.
export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  const size = bytes * uses.length
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true })
  for (let step = 0; step < uses.length; step += 1) {
    new Float32Array(staging.getMappedRange(step * bytes, bytes)).set(batch(step))
  }
  staging.unmap()

  for (const step of lab.steps(uses.length)) {
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging, step * bytes, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
  staging.destroy()
}
