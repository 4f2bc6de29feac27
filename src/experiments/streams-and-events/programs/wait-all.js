// Eight products, and a row of each for the host. All of them are awaited before the first is read.
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

  await device.queue.onSubmittedWorkDone() // torch.cuda.synchronize()

  for (const step of lab.steps(matmuls.length)) {
    await asked[step] // settled already
    rows.push(new Float32Array(readbacks[step].getMappedRange().slice(0)))
    readbacks[step].unmap()
  }
  return rows
}
