// Eight products, and whoever asked for them waits for the first result. Here all of them are awaited before one is handed over.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times) // c[step] += a · b
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone() // torch.cuda.synchronize()

  for (const step of lab.steps(matmuls.length)) {
    await readbacks[step].mapAsync(GPUMapMode.READ)
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
}
