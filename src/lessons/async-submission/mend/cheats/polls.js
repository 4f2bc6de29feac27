// Fails 'ended': asks the clock again and again instead of waiting.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

  for (const index of lab.steps(shapes.length)) {
    const { name, flops, encode } = shapes[index]
    let done = false
    const start = performance.now()
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, 20)
    device.queue.submit([encoder.finish()])
    device.queue.onSubmittedWorkDone().then(() => (done = true))
    while (!done) await later(1)
    const ms = performance.now() - start
    rates.push((20 * flops) / ms / 1e6)
  }

  return rates
}
