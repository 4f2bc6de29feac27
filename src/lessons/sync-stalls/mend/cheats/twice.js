// Fails 'work': each step is run a second time after its loss was copied, to keep the GPU busy.
export default async function ({ device, lab, input }) {
  const { train, loss, readback, steps } = input
  const losses = []

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder)
    encoder.copyBufferToBuffer(loss, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])
    const again = device.createCommandEncoder({ label: `step ${step} again` })
    train.encode(again)
    device.queue.submit([again.finish()])

    await readback.mapAsync(GPUMapMode.READ)
    const [value] = new Float32Array(readback.getMappedRange().slice(0))
    readback.unmap()

    losses.push(value)
    if (Number.isNaN(value)) break
  }

  await device.queue.onSubmittedWorkDone()
  return losses
}
