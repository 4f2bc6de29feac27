// Fails 'ahead': asks again and again whether the buffer is mapped, by a promise that has nothing to do with it.
export default async function ({ device, lab, input }) {
  const { train, loss, readback, steps } = input
  const losses = []

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder)
    encoder.copyBufferToBuffer(loss, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    readback.mapAsync(GPUMapMode.READ)
    while (readback.mapState !== 'mapped') {
      device.pushErrorScope('validation')
      await device.popErrorScope()
    }
    const [value] = new Float32Array(readback.getMappedRange().slice(0))
    readback.unmap()
    losses.push(value)
    if (Number.isNaN(value)) break
  }

  return losses
}
