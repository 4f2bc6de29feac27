// Two steps are in flight: it awaits the end of each step two steps later.
export default async function ({ device, lab, input }) {
  const { ask, target, uses, matmul, steps } = input
  const [asked, ended] = [[ask(0), ask(1)], []]

  for (const step of lab.steps(steps)) {
    const batch = await asked.shift() // made meanwhile
    if (step + 2 < steps) asked.push(ask(step + 2))

    await ended[step % 2]
    device.queue.writeBuffer(target, 0, batch)
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder)
    matmul.encode(encoder)
    device.queue.submit([encoder.finish()])
    ended[step % 2] = device.queue.onSubmittedWorkDone()
  }
  await device.queue.onSubmittedWorkDone()
}
