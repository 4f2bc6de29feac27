// A ring of staging buffers, taken in turn: while one is in flight, the host writes the next.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const mapped = staging.map(() => null) // each starts out mapped

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    await mapped[slot] // this one's turn: wait until the submission that reads it has ended
    new Float32Array(staging[slot].getMappedRange()).set(batch(step)) // meanwhile the device computes
    staging[slot].unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    matmuls[step % 2].encode(encoder, times) // c += batch · weights
    device.queue.submit([encoder.finish()])

    // Nobody awaits it here. It resolves when the whole submission has ended, the matmul included.
    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
