// Fails 'early': waits for all, and makes an empty submission so that there is one whose end is not known.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  device.queue.submit([])

  for (const step of lab.steps(matmuls.length)) {
    await readbacks[step].mapAsync(GPUMapMode.READ)
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
  await device.queue.onSubmittedWorkDone()
}
