// A ring: the host writes into one staging buffer while another is on its way.
export default async function ({ device, lab, input }) {
  const { batch, bytes, staging, target, uses } = input
  const mapped = staging.map(() => null) // each starts out mapped

  for (const step of lab.steps(uses.length)) {
    const numbers = batch(step)
    const slot = step % staging.length
    await mapped[slot] // this one's turn: until the submission that reads it has ended
    new Float32Array(staging[slot].getMappedRange()).set(numbers)
    staging[slot].unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
