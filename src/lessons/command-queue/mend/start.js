// A thousand small kernels, each submitted by itself. Kernel k + 1 reads what kernel k has written.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  for (let kernel = 0; kernel < kernels; kernel += 1) {
    const encoder = device.createCommandEncoder({ label: 'kernel' })
    const pass = encoder.beginComputePass({ label: 'kernel' })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroups[kernel % bindGroups.length]) // the numbers of this kernel
    pass.dispatchWorkgroups(x)
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
