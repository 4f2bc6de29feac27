// Fails 'overlap': serial, with an empty submission before each fill, so that the queue looks occupied.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = input.staging

  for (const step of lab.steps(steps)) {
    if (step > 0) await buffer.mapAsync(GPUMapMode.WRITE)
    device.queue.submit([])
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    await device.queue.onSubmittedWorkDone()
  }
}
