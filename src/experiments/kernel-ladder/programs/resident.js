// The matrices stay on the device. Every step is queued, and the host waits a single time, for the last.
export default async function ({ device, lab, input }) {
  const { matmul, steps, times } = input

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, times) // c += a · b, the one line that a rung changes; short ones several times in a pass
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
