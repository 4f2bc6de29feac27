// Each result is asked for when its product is submitted, and all are awaited together, as with `torch.cuda.synchronize()`.
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

  await Promise.all(asked) // the slowest of them

  for (const step of lab.steps(matmuls.length)) {
    rows.push(new Float32Array(readbacks[step].getMappedRange().slice(0)))
    readbacks[step].unmap()
  }
  return rows
}
