// Fails 'stays': takes the trips out from between the layers, and sends the result up again when all is done.
export default async function ({ device, lab, input }) {
  const { layers, logged, readback, bytes } = input

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    if (step === logged) layers[step].mean.encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  const encoder = device.createCommandEncoder({ label: 'to the host' })
  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)
  encoder.copyBufferToBuffer(layers[logged].mean.value, 0, readback, bytes, 4)
  device.queue.submit([encoder.finish()])

  await readback.mapAsync(GPUMapMode.READ)
  const values = new Float32Array(readback.getMappedRange().slice(0))
  readback.unmap()
  device.queue.writeBuffer(layers[0].x, 0, values, 0, bytes / 4)
  await device.queue.onSubmittedWorkDone()
  return { result: values.subarray(0, -1), mean: values.at(-1) }
}
