// Fails 'buffers': has the browser make one for each batch.
export default async function ({ device, lab, input }) {
  const { batch, target, uses } = input

  for (const step of lab.steps(uses.length)) {
    device.queue.writeBuffer(target, 0, batch(step))
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
