// Fails 'output': uploads every second batch, and computes on it twice.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const staging = input.staging.slice(0, 2)
  const mapped = staging.map(() => null)

  for (const step of lab.steps(steps)) {
    const slot = (step >> 1) % staging.length
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    if (step % 2 === 0) {
      await mapped[slot]
      new Float32Array(staging[slot].getMappedRange()).set(batch(step))
      staging[slot].unmap()
      encoder.copyBufferToBuffer(staging[slot], 0, onDevice[0], 0, bytes)
      encoder.copyBufferToBuffer(staging[slot], 0, onDevice[1], 0, bytes)
    }
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])
    if (step % 2 === 0) mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
