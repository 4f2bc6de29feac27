// It fills three buffers in turn.
export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  const usage = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC
  const ring = [0, 1, 2].map(() => device.createBuffer({ size: bytes, usage, mappedAtCreation: true }))
  ring.at = 0
  const mapped = ring.map(() => null) // each starts out mapped

  for (const step of lab.steps(uses.length)) {
    const slot = ring.at
    await mapped[slot]
    new Float32Array(ring[slot].getMappedRange()).set(batch(step))
    ring[slot].unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(ring[slot], 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    ring.at = (slot + 1) % ring.length
    mapped[slot] = ring[slot].mapAsync(GPUMapMode.WRITE)
  }

  await Promise.all(mapped) // a buffer comes back when its submission has ended
  for (const buffer of ring) buffer.destroy()
}
