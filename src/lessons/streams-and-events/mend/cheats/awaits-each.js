// Fails 'ahead': awaits each result before it submits the next product.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    await readbacks[step].mapAsync(GPUMapMode.READ)
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
}
