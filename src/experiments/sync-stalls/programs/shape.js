// After every k-th step the host asks for the shape. It chose the shape itself: nothing is queued, nothing is awaited.
export default async function ({ device, lab, input }) {
  const { matmul, steps, every } = input
  const shapes = []

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, input.times) // c += a · b
    device.queue.submit([encoder.finish()])

    if ((step + 1) % every === 0) shapes.push([matmul.rows, matmul.columns])
  }

  await device.queue.onSubmittedWorkDone()
  return shapes
}
