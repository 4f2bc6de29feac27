// Fails 'output': returns while the GPU still works, so it has no loss to return.
export default async function ({ device, lab, input }) {
  const { train, loss, steps } = input
  const readback = device.createBuffer({
    size: 4 * steps,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  })
  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder)
    encoder.copyBufferToBuffer(loss, 0, readback, 4 * step, 4)
    device.queue.submit([encoder.finish()])
  }
  const losses = []
  readback.mapAsync(GPUMapMode.READ).then(() => losses.push(...new Float32Array(readback.getMappedRange())))
  return losses
}
