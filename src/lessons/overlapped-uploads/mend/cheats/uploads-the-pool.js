// Fails 'work': the batches lie in one stretch of memory, so it uploads that once and cuts them out on the device.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const pool = new Float32Array(batch(0).buffer)
  const all = device.createBuffer({
    size: pool.byteLength,
    usage: GPUBufferUsage.COPY_SRC,
    mappedAtCreation: true,
  })
  new Float32Array(all.getMappedRange()).set(pool)
  all.unmap()

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(all, batch(step).byteOffset, onDevice[step % 2], 0, bytes)
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
  all.destroy()
}
