// Tensors are made on the device, and the host asks each for its shape, as in `print(t.shape)`.
export default async function ({ device, lab, input }) {
  const { generator, tensor, uses, seeds } = input
  const shapes = []

  for (const step of lab.steps(uses.length)) {
    device.queue.writeBuffer(generator.seed, 0, seeds, step, 1)

    const encoder = device.createCommandEncoder({ label: `tensor ${step}` })
    generator.encode(encoder)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])

    shapes.push(tensor.size / 4) // the host chose the size, and knows it
  }

  await device.queue.onSubmittedWorkDone()
  return shapes
}
