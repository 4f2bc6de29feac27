// Eight layers. The host needs the last result, and the mean of one in between. Three of these four trips are left over.
export default async function ({ device, lab, input }) {
  const { layers, logged, readback, bytes } = input
  let mean = null

  // x.cpu(): the values of a buffer in the host's memory, once the GPU has made them
  async function cpu(buffer) {
    const encoder = device.createCommandEncoder({ label: 'to the host' })
    encoder.copyBufferToBuffer(buffer, 0, readback, 0, bytes)
    device.queue.submit([encoder.finish()])
    await readback.mapAsync(GPUMapMode.READ, 0, bytes)
    const values = new Float32Array(readback.getMappedRange(0, bytes).slice(0))
    readback.unmap()
    return values
  }

  for (const step of lab.steps(layers.length)) {
    const { y } = layers[step]
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder) // y = x · w, and the next layer's x is this y
    device.queue.submit([encoder.finish()])

    if (step === 2) {
      const values = await cpu(y)
      if (values.byteLength !== bytes) throw new Error(`layer ${step} has the wrong shape`)
    }
    if (step === 4) {
      const values = await cpu(y) // a helper function used to work on the host
      device.queue.writeBuffer(y, 0, values) // x.to("cuda")
    }
    if (step === logged) {
      const values = await cpu(y)
      mean = values.reduce((sum, value) => sum + value, 0) / values.length
    }
  }

  const result = await cpu(layers.at(-1).y)
  return { result, mean }
}
