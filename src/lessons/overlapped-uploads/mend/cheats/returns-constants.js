// Fails 'output': uploads a batch of ones, as often as asked.
export default async function ({ device, lab, input }) {
  const { onDevice, bytes, arrived, matmuls, times, steps } = input
  const staging = input.staging.slice(0, 2)
  const mapped = staging.map(() => null)

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    await mapped[slot]
    new Float32Array(staging[slot].getMappedRange()).fill(1)
    staging[slot].unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])

    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
