// It keeps a list of promises for free buffers, and awaits them in order.
export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  const usage = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC
  const ring = [0, 1].map(() => device.createBuffer({ size: bytes, usage, mappedAtCreation: true }))
  const free = ring.map((buffer) => Promise.resolve(buffer)) // each starts out mapped

  for (const step of lab.steps(uses.length)) {
    const buffer = await free.shift()
    new Float32Array(buffer.getMappedRange()).set(batch(step))
    buffer.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(buffer, 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    free.push(buffer.mapAsync(GPUMapMode.WRITE).then(() => buffer))
  }

  await Promise.all(free) // a buffer comes back when its submission has ended
  for (const buffer of ring) buffer.destroy()
}
