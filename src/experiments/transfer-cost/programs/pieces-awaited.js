// The same pieces, and a wait for each before the next goes up.
export default async function ({ device, lab, input }) {
  const { parts, target, bytes } = input

  for (const step of lab.steps(parts.length)) {
    device.queue.writeBuffer(target, step * bytes, parts[step])
    device.queue.submit([])
    await device.queue.onSubmittedWorkDone() // meanwhile nothing is on its way
  }
}
