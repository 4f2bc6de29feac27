// The host waits for each step before it submits the next.
export default async function ({ device, lab, input }) {
  const { matmul, steps } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder) // c += a · b
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone()
  }
}
