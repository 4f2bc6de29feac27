// The same layers. The mean is made on the GPU; both are copied once all layers are submitted, and awaited together.
export default async function ({ device, lab, input }) {
  const { layers, logged, readback, bytes } = input

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    if (step === logged) layers[step].mean.encode(encoder) // before a later layer writes over y
    device.queue.submit([encoder.finish()])
  }

  const encoder = device.createCommandEncoder({ label: 'to the host' })
  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)
  encoder.copyBufferToBuffer(layers[logged].mean.value, 0, readback, bytes, 4) // readback has room for it
  device.queue.submit([encoder.finish()])

  await readback.mapAsync(GPUMapMode.READ)
  const values = new Float32Array(readback.getMappedRange().slice(0))
  readback.unmap()
  return { result: values.subarray(0, -1), mean: values.at(-1) }
}
