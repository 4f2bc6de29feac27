// Fails 'submits': one more than allowed.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  for (let part = 0; part < 3; part += 1) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    for (let kernel = 0; kernel < kernels; kernel += 1) {
      if (Math.floor((kernel * 3) / kernels) !== part) continue
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x)
    }
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
