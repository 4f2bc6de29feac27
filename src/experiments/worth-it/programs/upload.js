// Bytes to the device, each transfer awaited, with nothing else to do: the bandwidth of the rule of thumb.
export default async function ({ device, lab, input }) {
  const { sources, staging, target, bytes } = input
  let mapped // the staging buffer, asked for again

  for (const step of lab.steps(sources.length)) {
    await mapped
    new Float32Array(staging.getMappedRange(0, bytes)).set(sources[step])
    staging.unmap()

    const encoder = device.createCommandEncoder({ label: `upload ${step}` })
    encoder.copyBufferToBuffer(staging, 0, target, step * bytes, bytes)
    device.queue.submit([encoder.finish()])
    mapped = staging.mapAsync(GPUMapMode.WRITE, 0, bytes)

    await device.queue.onSubmittedWorkDone()
  }
}
