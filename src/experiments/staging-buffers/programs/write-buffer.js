// The browser does the staging: writeBuffer() takes a copy of the batch, into memory that the browser finds for it.
export default async function ({ device, lab, input }) {
  const { batch, target, uses } = input

  for (const step of lab.steps(uses.length)) {
    const numbers = batch(step) // what the loader has
    device.queue.writeBuffer(target, 0, numbers)

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder) // a kernel that reads it
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
