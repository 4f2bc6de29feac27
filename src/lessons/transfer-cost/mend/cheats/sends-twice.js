// Fails 'work': sends all parts a second time, in case one was lost.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.writeBuffer(target, step * bytes, part(step))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
