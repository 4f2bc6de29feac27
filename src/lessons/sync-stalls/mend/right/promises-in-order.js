// It keeps a list of pending losses, and awaits the oldest once there are five.
export default async function ({ device, lab, input }) {
  const { train, loss, hostWork, steps } = input
  const losses = []
  const pending = []
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST

  for (const step of lab.steps(steps)) {
    const buffer = device.createBuffer({ size: 4, usage })
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder) // forward, backward, update: writes its loss into the buffer `loss`
    encoder.copyBufferToBuffer(loss, 0, buffer, 0, 4)
    device.queue.submit([encoder.finish()])
    hostWork()

    pending.push(
      buffer.mapAsync(GPUMapMode.READ).then(() => {
        const [value] = new Float32Array(buffer.getMappedRange())
        buffer.destroy()
        return value
      }),
    )
    if (pending.length < 5) continue
    const value = await pending.shift()

    losses.push(value)
    if (Number.isNaN(value)) break
  }

  if (losses.some(Number.isNaN)) await Promise.all(pending)
  else for (const each of pending) losses.push(await each)
  return losses
}
