// Fails 'submits': sixteen kernels to a submit, so there are 64 of them.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  for (let first = 0; first < kernels; first += 16) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    for (let kernel = first; kernel < first + 16; kernel += 1) {
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x)
    }
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
