// Fails 'output': one wait at the end of all; the stopwatch is not stopped by it.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const starts = []

  for (const index of lab.steps(shapes.length)) {
    const { name, encode } = shapes[index]
    starts.push(performance.now())
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, 20)
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  const end = performance.now()

  return shapes.map(({ flops }, index) => (20 * flops) / (end - starts[index]) / 1e6)
}
