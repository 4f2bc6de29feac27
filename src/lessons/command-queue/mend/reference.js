// The same kernels in the same order: one encoder, one pass, one submit. Dispatches of a pass keep their order, too.
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
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
}
