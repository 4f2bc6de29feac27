// All bytes at once. writeBuffer() alone reports no end: the empty submit after it does.
export default async function ({ device, lab, input }) {
  const { parts, target } = input

  for (const step of lab.steps(1)) {
    device.queue.writeBuffer(target, 0, parts[step])
    device.queue.submit([])
  }

  await device.queue.onSubmittedWorkDone()
}
