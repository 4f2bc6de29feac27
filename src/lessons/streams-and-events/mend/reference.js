// The same products. Each result is asked for at once, awaited by itself, and handed over while later products run.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input
  const asked = []

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    asked.push(readbacks[step].mapAsync(GPUMapMode.READ)) // behind this submission, before the next
  }

  for (const step of lab.steps(matmuls.length)) {
    await asked[step] // event.synchronize()
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
}
