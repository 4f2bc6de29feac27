// Fails 'output': the losses are made up, the steps are real.
export default async function ({ device, lab, input }) {
  const { train, steps } = input
  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder)
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  return Array.from({ length: steps }, () => 1)
}
