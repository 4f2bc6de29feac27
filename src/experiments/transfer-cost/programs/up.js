// Transfers of one size to the device, each awaited. writeBuffer() alone reports no end: the empty submit after it does.
export default async function ({ device, lab, input }) {
  const { parts, target, bytes } = input

  for (const step of lab.steps(parts.length)) {
    device.queue.writeBuffer(target, step * bytes, parts[step])
    device.queue.submit([])
    await device.queue.onSubmittedWorkDone()
  }
}
