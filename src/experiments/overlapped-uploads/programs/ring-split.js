// A ring of staging buffers, with the copy in a submission of its own: a buffer need not wait for the matmul.
export default async function ({ device, lab, input }) {
  const { staging, batch, onDevice, bytes, arrived, matmuls, times, steps } = input
  const mapped = staging.map(() => null) // to begin with, each of them is mapped

  for (const step of lab.steps(steps)) {
    const slot = step % staging.length
    await mapped[slot] // this one's turn: wait until the copy that reads it has ended
    new Float32Array(staging[slot].getMappedRange()).set(batch(step)) // meanwhile the device computes
    staging[slot].unmap() // the browser carries the bytes from here on

    const copying = device.createCommandEncoder({ label: `copy batch ${step}` })
    copying.copyBufferToBuffer(staging[slot], 0, onDevice[step % 2], 0, bytes)
    arrived[step].encode(copying) // for the check alone: keeps 256 words of what has arrived
    device.queue.submit([copying.finish()])
    mapped[slot] = staging[slot].mapAsync(GPUMapMode.WRITE) // resolves when the copy has ended

    const computing = device.createCommandEncoder({ label: `compute batch ${step}` })
    matmuls[step % 2].encode(computing, times) // c += batch · weights
    device.queue.submit([computing.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
