// Fails 'output': measures the first shape well, and scales: all others are taken to have its rate.
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
    await run(shape, 1)
    const start = performance.now()
    await run(shape, 20)
    const ms = performance.now() - start
    rates.push(index === 0 ? (20 * shape.flops) / ms / 1e6 : rates[0])
  }

  return rates
}
