// Fails 'buffers': makes one for each batch in the warm-up, and keeps them.
let kept = null

export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  const usage = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC
  kept ??= uses.map(() => ({
    staging: device.createBuffer({ size: bytes, usage, mappedAtCreation: true }),
    mapped: null,
  }))

  for (const step of lab.steps(uses.length)) {
    const { staging, mapped } = kept[step]
    await mapped
    new Float32Array(staging.getMappedRange()).set(batch(step))
    staging.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging, 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    kept[step].mapped = staging.mapAsync(GPUMapMode.WRITE)
  }

  await device.queue.onSubmittedWorkDone()
}
