// Fails 'waits': waits for the first half, and for the second.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
    if (step === Math.floor(parts / 2)) await device.queue.onSubmittedWorkDone()
  }

  await device.queue.onSubmittedWorkDone()
}
