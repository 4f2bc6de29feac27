// Fails 'output': sends each part to the same place.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, 0, part(step))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
