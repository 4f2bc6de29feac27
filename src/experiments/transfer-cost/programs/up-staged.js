// The same through a staging buffer that is used again and again: the host writes into it, the device copies out of it.
export default async function ({ device, lab, input }) {
  const { parts, target, bytes, staging } = input
  let mapped // the staging buffer, asked for again

  for (const step of lab.steps(parts.length)) {
    await mapped
    new Float32Array(staging.getMappedRange(0, bytes)).set(parts[step])
    staging.unmap()

    const encoder = device.createCommandEncoder({ label: `up ${step}` })
    encoder.copyBufferToBuffer(staging, 0, target, step * bytes, bytes)
    device.queue.submit([encoder.finish()])
    mapped = staging.mapAsync(GPUMapMode.WRITE, 0, bytes)

    await device.queue.onSubmittedWorkDone()
  }
}
