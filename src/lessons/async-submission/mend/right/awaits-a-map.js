// It waits by mapping a buffer of four bytes that the GPU clears behind the products.
const TIMES = 20

export default async function ({ device, lab, input }) {
  const { shapes } = input
  const rates = []
  const mark = device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })

  const run = async ({ name, encode }, times) => {
    const encoder = device.createCommandEncoder({ label: name })
    encode(encoder, times)
    encoder.clearBuffer(mark)
    device.queue.submit([encoder.finish()])
    await mark.mapAsync(GPUMapMode.READ) // torch.cuda.synchronize()
    mark.unmap()
  }

  for (const index of lab.steps(shapes.length)) {
    const shape = shapes[index]
    await run(shape, 1) // warm-up: and the queue is empty when the stopwatch starts

    const start = performance.now()
    await run(shape, TIMES)
    const ms = performance.now() - start

    rates.push((TIMES * shape.flops) / ms / 1e6)
  }

  return rates
}
