// Works like DataLoader(num_workers=0): the loop makes each batch itself.
export default async function ({ device, lab, input }) {
  const { make, target, uses, matmul, steps } = input
  const ended = []

  for (const step of lab.steps(steps)) {
    const batch = make(step) // decodes and augments, and submits nothing meanwhile

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
