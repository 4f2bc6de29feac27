// The same products in turn on two devices. Each GPUDevice has a queue of its own; both are of the one GPU.
export default async function ({ lab, input }) {
  const { devices, matmuls, times, offsets, readbacks, bytes } = input
  const asked = []
  const rows = []

  for (const step of lab.steps(matmuls.length)) {
    const device = devices[step % 2] // a device's buffers are its own
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times) // c[step] += a · b
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    asked.push(readbacks[step].mapAsync(GPUMapMode.READ))
  }

  for (const step of lab.steps(matmuls.length)) {
    await asked[step]
    rows.push(new Float32Array(readbacks[step].getMappedRange().slice(0)))
    readbacks[step].unmap()
  }
  return rows
}
