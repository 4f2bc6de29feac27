// A small kernel that runs into one limit of the device: multiply-adds in registers, or a copy of a large buffer.
export default async function ({ device, input }) {
  const { kernel } = input

  const encoder = device.createCommandEncoder({ label: 'roofline' })
  kernel.encode(encoder)
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
}
