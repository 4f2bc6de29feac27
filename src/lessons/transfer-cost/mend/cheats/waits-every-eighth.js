// Fails 'waits': waits for eight parts at a time.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
    if (step % 8 === 7) await device.queue.onSubmittedWorkDone()
  }

  await device.queue.onSubmittedWorkDone()
}
