// A training loop. It logs the loss of every step, and stops when a loss is not a number.
export default async function ({ device, lab, input }) {
  const { train, loss, readback, hostWork, steps } = input
  const losses = []

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder) // forward, backward, update: writes its loss into the buffer `loss`
    encoder.copyBufferToBuffer(loss, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ) // loss.item()
    const [value] = new Float32Array(readback.getMappedRange().slice(0))
    readback.unmap()

    losses.push(value)
    if (Number.isNaN(value)) break

    hostWork() // the next batch, the log
  }

  return losses
}
