// An async generator asks ahead and yields the batches in order.
export default async function ({ device, lab, input }) {
  const { ask, target, uses, matmul, steps } = input
  async function* batches() {
    const asked = [ask(0), ask(1)]
    for (const step of lab.steps(steps)) {
      const batch = await asked.shift()
      if (step + 2 < steps) asked.push(ask(step + 2))
      yield { step, batch }
    }
  }

  for await (const { step, batch } of batches()) {
    device.queue.writeBuffer(target, 0, batch)
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder)
    matmul.encode(encoder)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone() // the loop reads its loss
  }
}
