// Fails 'overlap': no longer awaits the result, but its one staging buffer, which is free when the result is there.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = input.staging
  let mapped = null

  for (const step of lab.steps(steps)) {
    await mapped
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    mapped = buffer.mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
