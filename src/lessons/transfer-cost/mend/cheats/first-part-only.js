// Fails 'output': sends the first part again and again.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(0))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
