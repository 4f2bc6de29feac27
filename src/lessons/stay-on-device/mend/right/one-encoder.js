// All layers and both copies go in one submission.
export default async function ({ device, lab, input }) {
  const { layers, logged, readback, bytes } = input

  const encoder = device.createCommandEncoder({ label: 'all' })
  for (const step of lab.steps(layers.length)) {
    layers[step].encode(encoder)
    if (step === logged) layers[step].mean.encode(encoder) // before a later layer writes over y
  }

  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)
  encoder.copyBufferToBuffer(layers[logged].mean.value, 0, readback, bytes, 4) // readback has room for it
  device.queue.submit([encoder.finish()])

  await readback.mapAsync(GPUMapMode.READ)
  const values = new Float32Array(readback.getMappedRange().slice(0))
  readback.unmap()
  return { result: values.subarray(0, -1), mean: values.at(-1) }
}
