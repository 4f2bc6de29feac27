// Fails 'work': all are awaited together, while a ninth product keeps the last one late.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input
  const asked = []

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    asked.push(readbacks[step].mapAsync(GPUMapMode.READ))
  }
  const encoder = device.createCommandEncoder({ label: 'one more' })
  matmuls[0].encode(encoder, times)
  device.queue.submit([encoder.finish()])

  await Promise.all(asked)
  for (const step of lab.steps(matmuls.length)) {
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
  await device.queue.onSubmittedWorkDone()
}
