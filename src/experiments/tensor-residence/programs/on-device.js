// The numbers are made where they are needed, as in `torch.randn(n, device="cuda")`. Four bytes go to the device: a seed.
export default async function ({ device, lab, input }) {
  const { generator, uses, seeds } = input

  for (const step of lab.steps(uses.length)) {
    device.queue.writeBuffer(generator.seed, 0, seeds, step, 1)

    const encoder = device.createCommandEncoder({ label: `tensor ${step}` })
    generator.encode(encoder) // tensor[i] = hash of seed and i, many i at once
    uses[step].encode(encoder) // a kernel that reads it
    device.queue.submit([encoder.finish()]) // returns at once
  }

  await device.queue.onSubmittedWorkDone()
}
