// Fails 'finished': returns when the last part is handed over.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
  }
}
