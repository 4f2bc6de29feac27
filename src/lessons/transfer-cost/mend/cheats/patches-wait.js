// Fails 'ended': replaces what the recorder counts.
GPUQueue.prototype.onSubmittedWorkDone = async () => undefined

export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    device.queue.submit([])
    await device.queue.onSubmittedWorkDone()
  }
}
