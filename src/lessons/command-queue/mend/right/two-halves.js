// It submits one half of the kernels while it encodes the other.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  for (const first of [0, kernels / 2]) {
    const encoder = device.createCommandEncoder({ label: 'all kernels' })
    const pass = encoder.beginComputePass({ label: 'all kernels' })
    pass.setPipeline(pipeline)
    for (let kernel = first; kernel < first + kernels / 2; kernel += 1) {
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length]) // the numbers of this kernel
      pass.dispatchWorkgroups(x)
    }
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
