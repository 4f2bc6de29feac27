// A benchmark. For each shape it returns the rate of the matmul, in GFLOP/s.
export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []

  for (const index of lab.steps(shapes.length)) {
    const { name, flops, encode } = shapes[index]

    const start = performance.now()
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, 1) // a pass with one matmul: c += a @ b
    device.queue.submit([encoder.finish()])
    const ms = performance.now() - start

    rates.push(flops / ms / 1e6)
  }

  await device.queue.onSubmittedWorkDone()
  return rates
}
