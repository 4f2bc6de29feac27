// The same benchmark. Each matmul is queued 20 times and awaited once: one wait matters little next to 20 matmuls.
const TIMES = 20

export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []

  const run = async ({ name, encode }, times) => {
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, times)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone() // torch.cuda.synchronize()
  }

  for (const index of lab.steps(shapes.length)) {
    const shape = shapes[index]
    await run(shape, 1) // warm-up; the queue is empty when the stopwatch starts

    const start = performance.now()
    await run(shape, TIMES)
    const ms = performance.now() - start

    rates.push((TIMES * shape.flops) / ms / 1e6)
  }

  return rates
}
