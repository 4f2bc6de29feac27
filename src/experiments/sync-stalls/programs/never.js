// The same steps. Nothing is read until all of them have been submitted.
export default async function ({ device, lab, input }) {
  const { matmul, kernels, hostWork, steps } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, kernels) // this many launches: c += a · b
    device.queue.submit([encoder.finish()]) // returns at once

    hostWork() // the next batch, the log: meanwhile the device computes
  }

  await device.queue.onSubmittedWorkDone()
  return []
}
