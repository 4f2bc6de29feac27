// A new staging buffer for each batch. It is mapped from the start, so the host never waits for one.
export default async function ({ device, lab, input }) {
  const { batch, bytes, target, uses } = input

  for (const step of lab.steps(uses.length)) {
    const numbers = batch(step)
    const staging = device.createBuffer({
      size: bytes,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    })
    new Float32Array(staging.getMappedRange()).set(numbers)
    staging.unmap() // the browser carries the bytes from here on

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    encoder.copyBufferToBuffer(staging, 0, target, 0, bytes)
    uses[step].encode(encoder)
    device.queue.submit([encoder.finish()])
    staging.destroy() // what was submitted still runs
  }

  await device.queue.onSubmittedWorkDone()
}
