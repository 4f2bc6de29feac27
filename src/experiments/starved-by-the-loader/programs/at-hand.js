// Batches that were made before the run: what the device can do at most.
export default async function ({ device, lab, input }) {
  const { ready, target, uses, matmul, steps } = input
  const ended = []

  for (const step of lab.steps(steps)) {
    const batch = ready[step % ready.length]

    await ended[step % 2] // two steps are in flight at most, as in a loop that reads its loss
    device.queue.writeBuffer(target, 0, batch)

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    matmul.encode(encoder) // the layers: c += a · b
    device.queue.submit([encoder.finish()])
    ended[step % 2] = device.queue.onSubmittedWorkDone()
  }

  await device.queue.onSubmittedWorkDone()
}
