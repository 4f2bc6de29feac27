// Every step is submitted at once; the host waits once, for the last.
export default async function ({ device, lab, input }) {
  const { matmul, steps } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder) // c += a · b
    device.queue.submit([encoder.finish()]) // returns at once: nothing has run yet
  }

  await device.queue.onSubmittedWorkDone()
}
