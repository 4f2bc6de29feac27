// Fails 'output': measures once, and answers later runs with what it kept.
let kept = null

export default async function ({ device, lab, input }) {
  const { train, loss, steps } = input
  if (kept) {
    for (const step of lab.steps(steps)) {
      const encoder = device.createCommandEncoder({ label: `step ${step}` })
      train.encode(encoder)
      device.queue.submit([encoder.finish()])
    }
    await device.queue.onSubmittedWorkDone()
    return kept
  }
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
  await readback.mapAsync(GPUMapMode.READ)
  kept = [...new Float32Array(readback.getMappedRange())]
  return kept
}
