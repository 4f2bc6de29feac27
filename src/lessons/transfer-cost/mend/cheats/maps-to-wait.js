// Fails 'waits': maps a buffer of its own behind each part, which waits as well.
export default async function ({ device, lab, input }) {
  const { part, parts, target, bytes } = input

  const mark = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })

  for (const step of lab.steps(parts)) {
    device.queue.writeBuffer(target, step * bytes, part(step))
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(target, step * bytes, mark, 0, 16)
    device.queue.submit([encoder.finish()])
    await mark.mapAsync(GPUMapMode.READ)
    mark.unmap()
  }
}
