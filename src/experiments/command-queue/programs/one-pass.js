// All kernels of a step in one pass: one command buffer, one submit.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels, steps } = input
  const [x, y] = workgroups

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    const pass = encoder.beginComputePass({ label: `${kernels} kernels` })
    pass.setPipeline(pipeline)
    for (let kernel = 0; kernel < kernels; kernel += 1) {
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x, y) // c += a · b
    }
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
