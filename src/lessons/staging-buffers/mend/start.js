// A loader that makes a staging buffer for each batch, so that it never waits for one.
export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  for (const step of lab.steps(uses.length)) {
    const staging = device.createBuffer({
      size: bytes,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    })
    new Float32Array(staging.getMappedRange()).set(batch(step))
    staging.unmap()

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging, 0, target, 0, bytes)
    uses[step].encode(encoder) // a kernel that reads it
    device.queue.submit([encoder.finish()])
    staging.destroy() // what was submitted still runs
  }

  await device.queue.onSubmittedWorkDone()
}
