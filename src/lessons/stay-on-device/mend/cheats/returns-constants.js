// Fails 'output': the layers are real, the values are made up.
export default async function ({ device, lab, input }) {
  const { layers, logged, bytes } = input

  for (const step of lab.steps(layers.length)) {
    const encoder = device.createCommandEncoder({ label: `layer ${step}` })
    layers[step].encode(encoder)
    if (step === logged) layers[step].mean.encode(encoder)
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
  return { result: Array.from({ length: bytes / 4 }, () => 0.5), mean: 0 }
}
