// Each kernel in a pass of its own; the passes of a step are in one command buffer.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels, steps } = input
  const [x, y] = workgroups

  for (const step of lab.steps(steps)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    for (let kernel = 0; kernel < kernels; kernel += 1) {
      const pass = encoder.beginComputePass({ label: 'kernel' })
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x, y) // c += a · b
      pass.end()
    }
    device.queue.submit([encoder.finish()])
  }

  await device.queue.onSubmittedWorkDone()
}
