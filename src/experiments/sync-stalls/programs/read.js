// After every k-th step the host asks for the result and goes no further until it has it, as `.item()` does.
export default async function ({ device, lab, input }) {
  const { matmul, steps, every, readback, bytes } = input
  const values = []

  for (const step of lab.steps(steps)) {
    const reads = (step + 1) % every === 0

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, input.times) // c += a · b
    if (reads) encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, bytes)
    device.queue.submit([encoder.finish()])

    if (reads) {
      await readback.mapAsync(GPUMapMode.READ, 0, bytes) // meanwhile nothing is queued
      const [value] = new Float32Array(readback.getMappedRange(0, bytes).slice(0))
      readback.unmap()
      values.push({ step, value })
    }
  }

  await device.queue.onSubmittedWorkDone()
  return values
}
