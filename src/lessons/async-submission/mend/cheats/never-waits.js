// Fails 'output': queues 20 products of each shape, and stops the watch when they are queued.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []

  for (const index of lab.steps(shapes.length)) {
    const { name, flops, encode } = shapes[index]
    const start = performance.now()
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, 20)
    device.queue.submit([encoder.finish()])
    const ms = performance.now() - start
    rates.push((20 * flops) / ms / 1e6)
  }

  return rates
}
