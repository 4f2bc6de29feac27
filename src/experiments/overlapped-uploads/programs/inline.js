// As DataLoader(num_workers=0): the loop makes each batch itself, before it uploads it through a ring of staging buffers.
export default async function ({ device, lab, input }) {
  const { make, staging, onDevice, bytes, arrived, matmuls, times, steps } = input
  const mapped = staging.map(() => null) // to begin with, each of them is mapped

  for (const step of lab.steps(steps)) {
    const batch = make(step) // the host decodes and augments, and submits nothing meanwhile

    const slot = step % staging.length
    await mapped[slot] // this one's turn: wait until the submission that reads it has ended
    new Float32Array(staging[slot].getMappedRange()).set(batch)
    staging[slot].unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder) // for the check alone: keeps 256 words of what has arrived
    matmuls[step % 2].encode(encoder, times) // c += batch · weights
    device.queue.submit([encoder.finish()])
    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE) // resolves when the whole submission has ended
  }

  await device.queue.onSubmittedWorkDone()
}
