// It asks for the mean right behind its layer, and awaits it after the last layer.
export default async function ({ device, lab, input }) {
  const { layers, logged, readback, bytes } = input

  const small = device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
  let asked = null
  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    if (step === logged) {
      layers[step].mean.encode(encoder) // before a later layer writes over y
      encoder.copyBufferToBuffer(layers[step].mean.value, 0, small, 0, 4)
    }
    device.queue.submit([encoder.finish()])
    if (step === logged)
      asked = small.mapAsync(GPUMapMode.READ).then(() => new Float32Array(small.getMappedRange())[0])
  }

  const encoder = device.createCommandEncoder({ label: 'to the host' })
  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)

  device.queue.submit([encoder.finish()])

  await readback.mapAsync(GPUMapMode.READ)
  const values = new Float32Array(readback.getMappedRange(0, bytes).slice(0))
  readback.unmap()
  const mean = await asked
  small.destroy()
  return { result: values, mean }
}
