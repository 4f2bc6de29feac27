// A round trip with almost nothing in it: one thread writes four bytes, and the host reads them.
export default async function ({ device, lab, input }) {
  const { tick, target, readback, trips } = input
  const values = []

  for (const step of lab.steps(trips)) {
    const encoder = device.createCommandEncoder({ label: `four bytes ${step}` })
    tick.encode(encoder)
    encoder.copyBufferToBuffer(target, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ, 0, 4)
    values.push(new Uint32Array(readback.getMappedRange(0, 4).slice(0))[0])
    readback.unmap()
  }

  return values
}
