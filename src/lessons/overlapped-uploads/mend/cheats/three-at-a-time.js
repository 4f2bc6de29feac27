// Fails 'overlap': fills three buffers, submits three batches, and waits for all of them.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const { staging } = input

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    if (slot === 0 && step > 0) await Promise.all(staging.map((each) => each.mapAsync(GPUMapMode.WRITE)))
    new Float32Array(staging[slot].getMappedRange()).set(batch(step))
    staging[slot].unmap()
    if (slot < staging.length - 1 && step < steps - 1) continue

    for (let index = step - slot; index <= step; index += 1) {
      const encoder = device.createCommandEncoder({ label: `batch ${index}` })
      encoder.copyBufferToBuffer(staging[index - step + slot], 0, onDevice[index % 2], 0, bytes)
      arrived[index].encode(encoder)
      matmuls[index % 2].encode(encoder, times)
      device.queue.submit([encoder.finish()])
    }
  }

  await device.queue.onSubmittedWorkDone()
}
