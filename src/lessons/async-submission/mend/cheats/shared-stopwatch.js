// Fails 'output': one stopwatch round all three, its time divided by their operations.
export default async function ({ device, lab, input }) {
  const { shapes } = input

  const start = performance.now()
  for (const index of lab.steps(shapes.length)) {
    const { name, encode } = shapes[index]
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, 20)
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  const ms = performance.now() - start

  const flops = shapes.reduce((sum, shape) => sum + shape.flops, 0)
  return shapes.map(() => (20 * flops) / ms / 1e6)
}
