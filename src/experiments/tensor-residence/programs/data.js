// Tensors are made on the device, and the host asks each for one value, as in `print(t[0])`.
export default async function ({ device, lab, input }) {
  const { generator, tensor, uses, seeds, readback } = input
  const values = []

  for (const step of lab.steps(uses.length)) {
    device.queue.writeBuffer(generator.seed, 0, seeds, step, 1)

    const encoder = device.createCommandEncoder({ label: `tensor ${step}` })
    generator.encode(encoder)
    uses[step].encode(encoder)
    encoder.copyBufferToBuffer(tensor, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ, 0, 4) // only the device has the value
    values.push(new Uint32Array(readback.getMappedRange(0, 4).slice(0))[0])
    readback.unmap()
  }

  await device.queue.onSubmittedWorkDone()
  return values
}
