// After every k-th step a value decides what is submitted next, as `if c[0, 0] > 0:` does: the host must have it first.
export default async function ({ device, lab, input }) {
  const { matmul, steps, every, readback, extra } = input
  const values = []
  let taken = false

  for (const step of lab.steps(steps)) {
    const reads = (step + 1) % every === 0

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, input.times) // c += a · b
    if (taken) extra.encode(encoder) // the branch: one more, very short pass
    if (reads) encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    if (reads) {
      await readback.mapAsync(GPUMapMode.READ, 0, 4) // meanwhile nothing is queued
      const [value] = new Float32Array(readback.getMappedRange(0, 4).slice(0))
      readback.unmap()
      values.push({ step, value })
      taken = value > 0
    }
  }

  await device.queue.onSubmittedWorkDone()
  return values
}
