// It uses all three staging buffers in turn.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const staging = input.staging
  const mapped = staging.map(() => null) // each starts out mapped

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    await mapped[slot] // waits for batch step - 3
    new Float32Array(staging[slot].getMappedRange()).set(batch(step)) // the GPU computes meanwhile
    staging[slot].unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE) // asked for now, awaited at this buffer's next turn
  }

  await device.queue.onSubmittedWorkDone()
}
