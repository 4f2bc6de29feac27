// Transfers of one size to the host, each awaited: a copy into a buffer that can be mapped, and out of it into ordinary memory.
export default async function ({ device, lab, input }) {
  const { transfers, target, bytes, readback, host } = input

  for (const step of lab.steps(transfers)) {
    const encoder = device.createCommandEncoder({ label: `down ${step}` })
    encoder.copyBufferToBuffer(target, step * bytes, readback, 0, bytes)
    device.queue.submit([encoder.finish()])

    await readback.mapAsync(GPUMapMode.READ, 0, bytes)
    host.set(new Float32Array(readback.getMappedRange(0, bytes)), (step * bytes) / 4)
    readback.unmap()
  }
}
