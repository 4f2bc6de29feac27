// The results stay on the device. A kernel makes one number of a result, and only that goes to the host, as in `x.mean().item()`.
export default async function ({ device, lab, input }) {
  const { layers, readback, every } = input
  const means = []

  for (const step of lab.steps(layers.length)) {
    const { mean } = layers[step]
    const asks = (step + 1) % every === 0

    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder) // y = x · w
    if (asks) {
      mean.encode(encoder) // the mean of y
      encoder.copyBufferToBuffer(mean.value, 0, readback, 0, 4)
    }
    device.queue.submit([encoder.finish()])

    if (asks) {
      await readback.mapAsync(GPUMapMode.READ, 0, 4) // .item(): meanwhile nothing is queued
      means.push(new Float32Array(readback.getMappedRange(0, 4).slice(0))[0])
      readback.unmap()
    }
  }

  await device.queue.onSubmittedWorkDone()
  return means
}
