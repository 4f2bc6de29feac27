// The same bytes in pieces, as a list of small tensors that each go up by themselves. The host waits once, for all of them.
export default async function ({ device, lab, input }) {
  const { parts, target, bytes } = input

  for (const step of lab.steps(parts.length)) {
    device.queue.writeBuffer(target, step * bytes, parts[step]) // returns when the browser has a copy
  }
  device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
