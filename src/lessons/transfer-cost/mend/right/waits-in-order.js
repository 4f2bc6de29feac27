// It asks for the end of each part at once, and awaits them all behind the last part.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  const ends = []
  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    ends.push(device.queue.onSubmittedWorkDone())
  }
  device.queue.submit([])

  for (const end of ends) await end
  await device.queue.onSubmittedWorkDone()
}
