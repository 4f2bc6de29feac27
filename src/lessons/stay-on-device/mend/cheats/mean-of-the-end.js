// Fails 'output': the mean is that of the last result, which is on the host anyway.
export default async function ({ device, lab, input }) {
  const { layers, readback, bytes } = input

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  const encoder = device.createCommandEncoder({ label: 'to the host' })
  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ, 0, bytes)
  const result = new Float32Array(readback.getMappedRange(0, bytes).slice(0))
  readback.unmap()
  return { result, mean: result.reduce((sum, value) => sum + value, 0) / result.length }
}
