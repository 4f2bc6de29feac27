// One loop awaits the promises in their order.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, readbacks, bytes, handOver } = input
  const asked = []

  for (const step of lab.steps(matmuls.length)) {
    const encoder = device.createCommandEncoder({ label: `result ${step}` })
    matmuls[step].encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[step].c, offsets[step], readbacks[step], 0, bytes)
    device.queue.submit([encoder.finish()])
    asked.push(readbacks[step].mapAsync(GPUMapMode.READ).then(() => step)) // behind this submission, before the next
  }
  for await (const step of asked) {
    // event.synchronize()
    handOver(step, new Float32Array(readbacks[step].getMappedRange()))
    readbacks[step].unmap()
  }
}
