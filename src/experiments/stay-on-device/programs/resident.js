// Each layer reads what the one before it has left on the device. The host submits all of them and waits once, at the end.
export default async function ({ device, lab, input }) {
  const { layers } = input

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder) // y = x · w
    device.queue.submit([encoder.finish()]) // returns at once
  }

  await device.queue.onSubmittedWorkDone()
}
