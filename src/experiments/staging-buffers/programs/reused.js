// One staging buffer for all batches. While it is away, the host waits for it.
export default async function ({ device, lab, input }) {
  const { batch, bytes, staging, target, uses } = input
  const [buffer] = staging
  let mapped = null // it starts out mapped

  for (const step of lab.steps(uses.length)) {
    const numbers = batch(step)
    await mapped // until the submission that reads it has ended
    new Float32Array(buffer.getMappedRange()).set(numbers)
    buffer.unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    mapped = buffer.mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
