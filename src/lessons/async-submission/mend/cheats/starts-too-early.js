// Fails 'output': warms up with 20 products and does not wait for them, so the stopwatch times 40.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []

  for (const index of lab.steps(shapes.length)) {
    const { name, flops, encode } = shapes[index]
    const queue = () => {
      const encoder = device.createCommandEncoder({ label: name })
      encode(encoder, 20)
      device.queue.submit([encoder.finish()])
    }
    queue()
    const start = performance.now()
    queue()
    await device.queue.onSubmittedWorkDone()
    const ms = performance.now() - start
    rates.push((20 * flops) / ms / 1e6)
  }

  return rates
}
