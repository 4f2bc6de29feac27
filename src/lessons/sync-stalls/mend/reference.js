// The same loop. Losses are read four at a time, and always one batch of steps later: the GPU has the next batch while the host waits.
const BATCH = 4

export default async function ({ device, lab, input }) {
  const { train, loss, hostWork, steps } = input
  const losses = []
  const readbacks = [0, 1].map((index) =>
    device.createBuffer({
      label: `losses ${index}`,
      size: 4 * BATCH,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    }),
  )
  let asked = null // the batch whose losses are on their way

  // Waits for them, and says whether training goes on.
  const read = async () => {
    if (!asked) return true
    const { readback, mapped, count } = asked
    await mapped
    const values = new Float32Array(readback.getMappedRange().slice(0)).slice(0, count)
    readback.unmap()
    const failed = values.findIndex(Number.isNaN)
    losses.push(...(failed < 0 ? values : values.slice(0, failed + 1)))
    return failed < 0
  }

  let count = 0
  for (const step of lab.steps(steps)) {
    const readback = readbacks[Math.floor(step / BATCH) % 2]
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    train.encode(encoder)
    encoder.copyBufferToBuffer(loss, 0, readback, 4 * count, 4)
    device.queue.submit([encoder.finish()])
    count += 1
    hostWork() // meanwhile the GPU trains

    if (count === BATCH || step === steps - 1) {
      const mapped = readback.mapAsync(GPUMapMode.READ) // asked for now, awaited a batch later
      const goesOn = await read()
      asked = { readback, mapped, count }
      count = 0
      if (!goesOn) break
    }
  }

  if (!losses.some(Number.isNaN)) await read()
  await device.queue.onSubmittedWorkDone()
  return losses
}
