// The same loop, with two workers that make its batches: two are asked for ahead, and each that is taken is followed by another.
export default async function ({ device, lab, input }) {
  const { ask, target, uses, matmul, steps } = input
  const asked = [ask(0), ask(1)]

  for (const step of lab.steps(steps)) {
    const batch = await asked.shift() // made meanwhile
    if (step + 2 < steps) asked.push(ask(step + 2))

    device.queue.writeBuffer(target, 0, batch)
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder)
    matmul.encode(encoder)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone() // the loop reads its loss
  }
}
