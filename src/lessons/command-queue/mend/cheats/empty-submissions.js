// Fails 'submits': all kernels in one submit, and an empty one for each to look as before.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  for (let kernel = 0; kernel < kernels; kernel += 1) {
    pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
    pass.dispatchWorkgroups(x)
  }
  pass.end()
  device.queue.submit([encoder.finish()])
  for (let kernel = 1; kernel < kernels; kernel += 1) device.queue.submit([])

  await device.queue.onSubmittedWorkDone()
}
