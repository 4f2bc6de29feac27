// A loop that makes its batches itself, as DataLoader(num_workers=0) does. Meanwhile the GPU has nothing to do.
export default async function ({ device, lab, input }) {
  const { make, target, uses, matmul, steps } = input

  for (const step of lab.steps(steps)) {
    const batch = make(step) // decodes and augments, in this thread

    device.queue.writeBuffer(target, 0, batch)
    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder) // only for the check: keeps words of what arrived
    matmul.encode(encoder) // the layers: c += a · b
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone() // the loop reads its loss
  }
}
