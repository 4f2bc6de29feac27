// A second coroutine reads the losses in order, while the trainer runs at most six steps ahead.
export default async function ({ device, lab, input }) {
  const { train, loss, hostWork, steps } = input
  const losses = []
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
  const slots = Array.from({ length: 6 }, () => ({
    buffer: device.createBuffer({ size: 4, usage }),
    read: null,
  }))
  let failed = false
  const read = async ({ buffer }) => {
    await buffer.mapAsync(GPUMapMode.READ)
    const [value] = new Float32Array(buffer.getMappedRange()).slice()
    buffer.unmap()
    if (failed) return
    losses.push(value)
    failed = Number.isNaN(value)
  }

  for (const step of lab.steps(steps)) {
    const slot = slots[step % slots.length]
    await slot.read
    if (failed) break
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder) // forward, backward, update: writes its loss into the buffer `loss`
    encoder.copyBufferToBuffer(loss, 0, slot.buffer, 0, 4)
    device.queue.submit([encoder.finish()])

    slot.read = read(slot)
    hostWork()
  }

  await Promise.all(slots.map(({ read }) => read))
  return losses
}
