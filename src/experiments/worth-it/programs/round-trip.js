// Two matrices go to the device, are multiplied there, and the product comes back, as in `(a.to("cuda") @ b.to("cuda")).cpu()`.
export default async function ({ device, lab, input }) {
  const { matmul, a, b, c, pairs, uses, staging, readback, bytes } = input
  const mapped = [] // staging buffers that were asked for again
  const products = []

  for (const step of lab.steps(pairs.length)) {
    for (const [index, matrix] of pairs[step].entries()) {
      await mapped[index]
      new Float32Array(staging[index].getMappedRange(0, bytes)).set(matrix)
      staging[index].unmap()
    }

    const encoder = device.createCommandEncoder({ label: `round trip ${step}` })
    encoder.copyBufferToBuffer(staging[0], 0, a, 0, bytes)
    encoder.copyBufferToBuffer(staging[1], 0, b, 0, bytes)
    encoder.clearBuffer(c, 0, bytes)
    matmul.encode(encoder, uses) // c += a · b, once for each use
    encoder.copyBufferToBuffer(c, 0, readback, 0, bytes)
    device.queue.submit([encoder.finish()])
    for (const index of [0, 1]) mapped[index] = staging[index].mapAsync(GPUMapMode.WRITE, 0, bytes) // awaited at the next step

    await readback.mapAsync(GPUMapMode.READ, 0, bytes) // for all of the above, and for its completion to be reported
    products.push(new Float32Array(readback.getMappedRange(0, bytes).slice(0)))
    readback.unmap()
  }

  return products
}
