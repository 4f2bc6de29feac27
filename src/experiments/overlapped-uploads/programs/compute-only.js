// Computing alone: the batch is on the device already, the same one in every step.
export default async function ({ device, lab, input }) {
  const { matmul, times, steps } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    matmul.encode(encoder, times) // c += batch · weights
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
