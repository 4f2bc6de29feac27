// Fails 'submits': as before, and a wait now and then, for fear that a kernel might overtake another.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  for (let kernel = 0; kernel < kernels; kernel += 1) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
    pass.dispatchWorkgroups(x)
    pass.end()
    device.queue.submit([encoder.finish()])
    if (kernel % 64 === 0) await device.queue.onSubmittedWorkDone()
  }

  await device.queue.onSubmittedWorkDone()
}
