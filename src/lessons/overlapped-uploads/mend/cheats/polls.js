// Fails 'ended': looks after the buffer every millisecond instead of waiting for it.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = input.staging
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

  for (const step of lab.steps(steps)) {
    while (buffer.mapState !== 'mapped') await later(1)
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    buffer.mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
