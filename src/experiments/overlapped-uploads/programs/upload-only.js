// Uploading alone, through as many staging buffers as the deepest ring has.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, steps } = input
  const mapped = staging.map(() => null) // each starts out mapped

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    await mapped[slot]
    new Float32Array(staging[slot].getMappedRange()).set(batch(step)) // the host writes
    staging[slot].unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    device.queue.submit([encoder.finish()])
    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE) // resolves when the copy has ended
  }

  await device.queue.onSubmittedWorkDone()
}
