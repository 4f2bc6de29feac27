// Bytes back to the host, each transfer awaited.
export default async function ({ device, lab, input }) {
  const { transfers, target, readback, bytes } = input
  const results = []

  for (const step of lab.steps(transfers)) {
    const encoder = device.createCommandEncoder({ label: `readback ${step}` })
    encoder.copyBufferToBuffer(target, step * bytes, readback, 0, bytes)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ, 0, bytes)
    results.push(new Float32Array(readback.getMappedRange(0, bytes).slice(0)))
    readback.unmap()
  }

  return results
}
