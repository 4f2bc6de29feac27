// Fails 'output': hands over the first result of the run before, which it has kept.
let kept = null

export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    if (step === 0 && kept) handOver(0, kept)
  }
  await device.queue.onSubmittedWorkDone()

  for (const step of lab.steps(matmuls.length)) {
    await readbacks[step].mapAsync(GPUMapMode.READ)
    const numbers = new Float32Array(readbacks[step].getMappedRange()).slice()
    if (step > 0 || !kept) handOver(step, numbers)
    if (step === 0) kept = numbers
    readbacks[step].unmap()
  }
}
