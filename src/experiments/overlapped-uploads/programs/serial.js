// One after the other: one staging buffer, and the host waits for the result before it begins the next batch.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = staging

  for (const step of lab.steps(steps)) {
    if (step > 0) await buffer.mapAsync(GPUMapMode.WRITE) // it starts out mapped
    new Float32Array(buffer.getMappedRange()).set(batch(step)) // the host writes, the device is idle
    buffer.unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    matmuls[step % 2].encode(encoder, times) // c += batch · weights
    device.queue.submit([encoder.finish()])

    await device.queue.onSubmittedWorkDone() // the device computes, the host is idle
  }
}
