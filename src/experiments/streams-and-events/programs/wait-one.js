// The same products in the same order. Each result is awaited by itself.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes } = input
  const asked = []
  const rows = []

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times) // c[step] += a · b
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    asked.push(readbacks[step].mapAsync(GPUMapMode.READ))
  }

  for (const step of lab.steps(matmuls.length)) {
    await asked[step] // event.synchronize(), while later products run
    rows.push(new Float32Array(readbacks[step].getMappedRange().slice(0)))
    readbacks[step].unmap()
  }
  return rows
}
