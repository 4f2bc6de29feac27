// Nothing is read back until every step has been submitted.
export default async function ({ device, lab, input }) {
  const { matmul, steps } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, input.times) // c += a · b
    device.queue.submit([encoder.finish()]) // returns at once
  }

  await device.queue.onSubmittedWorkDone()
  return []
}
