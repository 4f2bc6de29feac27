// After every layer its result goes to the host, and from there to the device again, as in `x = layer(x.to("cuda")).cpu()`.
export default async function ({ device, lab, input }) {
  const { layers, readback, bytes } = input
  let host = input.host // the first x, in the host's memory

  for (const step of lab.steps(layers.length)) {
    const { x, y } = layers[step]
    device.queue.writeBuffer(x, 0, host) // x.to("cuda")

    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder) // y = x · w
    encoder.copyBufferToBuffer(y, 0, readback, 0, bytes)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ, 0, bytes) // .cpu(): meanwhile nothing is queued
    host = new Float32Array(readback.getMappedRange(0, bytes).slice(0))
    readback.unmap()
  }

  return host
}
