// Every k-th step ends like `log.append(loss.item())`: the host waits for one number. Then it prepares the next step.
export default async function ({ device, lab, input }) {
  const { matmul, kernels, hostWork, steps, every, readback } = input
  const values = []

  for (const step of lab.steps(steps)) {
    const reads = (step + 1) % every === 0

    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, kernels) // this many launches: c += a · b
    if (reads) encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    if (reads) {
      await readback.mapAsync(GPUMapMode.READ) // loss.item(): the queue runs empty
      const [value] = new Float32Array(readback.getMappedRange().slice(0))
      readback.unmap()
      values.push({ step, value })
    }

    hostWork() // the next batch, the log: after a read the device has nothing to do
  }

  await device.queue.onSubmittedWorkDone()
  return values
}
