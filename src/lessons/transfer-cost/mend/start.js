// Many parts, as they come out of a loader, go up one by one. The program waits for each, to be safe.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
    await device.queue.onSubmittedWorkDone()
  }
}
