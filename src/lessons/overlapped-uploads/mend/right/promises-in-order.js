// It keeps a list of promises for free buffers, and awaits them in order.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const staging = input.staging.slice(0, 2)
  const free = staging.map((buffer) => Promise.resolve(buffer))

  for (const step of lab.steps(steps)) {
    const buffer = await free.shift() // waits for batch step - 2, not for the one before
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    free.push(buffer.mapAsync(GPUMapMode.WRITE).then(() => buffer)) // asked for now, awaited at this buffer's next turn
  }

  await device.queue.onSubmittedWorkDone()
}
