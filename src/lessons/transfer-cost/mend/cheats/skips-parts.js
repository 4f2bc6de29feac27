// Fails 'output': sends every other part.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    if (step % 2 === 0) device.queue.writeBuffer(target, step * bytes, part(step))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
