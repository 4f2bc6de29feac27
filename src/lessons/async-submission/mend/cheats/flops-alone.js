// Fails 'output': takes each product to last 2 ms, and reads the rate off its operations.
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
    await run(shapes[index], 1)
    rates.push(shapes[index].flops / 2 / 1e6)
  }

  return rates
}
