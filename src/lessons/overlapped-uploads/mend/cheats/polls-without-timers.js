// Fails 'overlap': asks again and again whether its buffer is mapped, by a promise that has nothing to do with it.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = input.staging

  for (const step of lab.steps(steps)) {
    while (buffer.mapState !== 'mapped') {
      device.pushErrorScope('validation')
      await device.popErrorScope()
    }
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
