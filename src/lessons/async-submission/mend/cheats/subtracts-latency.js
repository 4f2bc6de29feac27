// Fails 'output': awaits one product, and takes off the 15 ms that a wait is said to cost.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []

  const run = async ({ name, encode }, times) => {
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, times)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone()
  }

  for (const index of lab.steps(shapes.length)) {
    const shape = shapes[index]
    const start = performance.now()
    await run(shape, 1)
    const ms = performance.now() - start
    rates.push(shape.flops / Math.max(0.01, ms - 15) / 1e6)
  }

  return rates
}
