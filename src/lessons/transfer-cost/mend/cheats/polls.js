// Fails 'ended': looks after each part every millisecond instead of waiting for it.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
    let isThere = false
    device.queue.onSubmittedWorkDone().then(() => (isThere = true))
    while (!isThere) await later(1)
  }
}
