// Fails 'ended': encodes in the warm-up, and submits the same command buffer again.
let kept = null

export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  if (!kept) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    for (let kernel = 0; kernel < kernels; kernel += 1) {
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x)
    }
    pass.end()
    kept = encoder.finish()
  }
  device.queue.submit([kept])

  await device.queue.onSubmittedWorkDone()
}
