// It waits by mapping a buffer of four bytes that the GPU clears behind the kernels.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  const encoder = device.createCommandEncoder({ label: 'all kernels' })
  const pass = encoder.beginComputePass({ label: 'all kernels' })
  pass.setPipeline(pipeline)
  for (let kernel = 0; kernel < kernels; kernel += 1) {
    pass.setBindGroup(0, bindGroups[kernel % bindGroups.length]) // the numbers of this kernel
    pass.dispatchWorkgroups(x)
  }
  pass.end()
  const mark = device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
  encoder.clearBuffer(mark)
  device.queue.submit([encoder.finish()])

  await mark.mapAsync(GPUMapMode.READ)
  mark.destroy()
}
