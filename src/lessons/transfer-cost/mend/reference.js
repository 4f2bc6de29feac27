// Each part goes up as it comes. The queue keeps their order, so one wait after the last covers them all.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
