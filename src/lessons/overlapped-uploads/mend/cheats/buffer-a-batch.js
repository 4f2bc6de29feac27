// Fails 'buffers': makes a buffer for each batch, and destroys it.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input

  for (const step of lab.steps(steps)) {
    const buffer = device.createBuffer({
      size: bytes,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    })
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])
    buffer.destroy() // what is submitted still runs
  }

  await device.queue.onSubmittedWorkDone()
}
