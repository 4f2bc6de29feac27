// One after the other, with the copy in a submission of its own. Nothing changes: the host still waits for the result.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const [buffer] = staging

  for (const step of lab.steps(steps)) {
    if (step > 0) await buffer.mapAsync(GPUMapMode.WRITE) // to begin with, it is mapped
    new Float32Array(buffer.getMappedRange()).set(batch(step)) // the host writes, the device is idle
    buffer.unmap() // the browser carries the bytes from here on

    const copying = device.createCommandEncoder({ label: `copy batch ${step}` })
    copying.copyBufferToBuffer(buffer, 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(copying) // for the check alone: keeps 256 words of what has arrived
    device.queue.submit([copying.finish()])

    const computing = device.createCommandEncoder({ label: `compute batch ${step}` })
    matmuls[step % 2].encode(computing, times) // c += batch · weights
    device.queue.submit([computing.finish()])

    await device.queue.onSubmittedWorkDone() // the device computes, the host is idle
  }
}
