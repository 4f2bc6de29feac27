// Fails 'buffers': leaves the staging to the browser, which does it anew for each batch.
export default async function ({ device, lab, input }) {
  const { batch, onDevice, arrived, matmuls, times, steps } = input

  for (const step of lab.steps(steps)) {
    device.queue.writeBuffer(onDevice[step % 2], 0, batch(step))

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    arrived[step].encode(encoder)
    matmuls[step % 2].encode(encoder, times)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
