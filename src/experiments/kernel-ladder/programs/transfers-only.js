// The same transfers as with a kernel, and no kernel: A and B go up, C comes back, and the host waits for it.
export default async function ({ device, lab, input }) {
  const { steps, matrices, a, b, c, staging, readback, bytes, checked } = input
  const [stagingA, stagingB] = staging // mapped, so the host can write to them
  let mappedA, mappedB
  const results = []

  for (const step of lab.steps(steps)) {
    await mappedA // the copy of the step before is done
    new Float32Array(stagingA.getMappedRange()).set(matrices.of(2 * step))
    stagingA.unmap()
    await mappedB
    new Float32Array(stagingB.getMappedRange()).set(matrices.of(2 * step + 1))
    stagingB.unmap()

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    encoder.copyBufferToBuffer(stagingA, 0, a, 0, bytes)
    encoder.copyBufferToBuffer(stagingB, 0, b, 0, bytes)
    encoder.copyBufferToBuffer(c, 0, readback, 0, bytes)
    device.queue.submit([encoder.finish()])

    mappedA = stagingA.mapAsync(GPUMapMode.WRITE) // awaited when the next step needs them
    mappedB = stagingB.mapAsync(GPUMapMode.WRITE)
    await readback.mapAsync(GPUMapMode.READ) // all of it is done
    const result = new Float32Array(readback.getMappedRange()).slice()
    readback.unmap()
    results.push(checked.map((at) => result[at]))
  }

  return results
}
