// It times each shape three times and reports the median.
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
    await run(shape, 1) // warm-up: and the queue is empty when the stopwatch starts

    const timed = async () => {
      const start = performance.now()
      await run(shape, TIMES)
      return performance.now() - start
    }
    const ms = [await timed(), await timed(), await timed()].sort((a, b) => a - b)[1]

    rates.push((TIMES * shape.flops) / ms / 1e6)
  }

  return rates
}
