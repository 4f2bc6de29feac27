// Fails 'output': returns while the GPU still works, so it has nothing to return.
export default async function ({ device, lab, input }) {
  const { layers, bytes } = input
  const result = []
  const readback = device.createBuffer({
    size: bytes,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  })

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  const encoder = device.createCommandEncoder({ label: 'to the host' })
  encoder.copyBufferToBuffer(layers.at(-1).y, 0, readback, 0, bytes)
  device.queue.submit([encoder.finish()])
  readback.mapAsync(GPUMapMode.READ).then(() => result.push(...new Float32Array(readback.getMappedRange())))
  return { result, mean: 0 }
}
