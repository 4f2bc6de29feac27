// Each part goes up as it comes. The queue keeps their order, so one wait, behind the last, is for all of them.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
