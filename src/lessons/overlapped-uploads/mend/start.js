// A loader. It uploads a batch, waits until the GPU has computed on it, and uploads the next.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = staging // there are three of them

  for (const step of lab.steps(steps)) {
    if (step > 0) await buffer.mapAsync(GPUMapMode.WRITE) // it starts out mapped
    new Float32Array(buffer.getMappedRange()).set(batch(step)) // the host writes batch `step`
    buffer.unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    matmuls[step % 2].encode(encoder, times) // c += batch · weights
    device.queue.submit([encoder.finish()])

    await device.queue.onSubmittedWorkDone()
  }
}
