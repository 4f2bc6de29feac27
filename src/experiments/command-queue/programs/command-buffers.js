// Each kernel in its own command buffer; one submit hands over all of a step.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels, steps } = input
  const [x, y] = workgroups

  for (const step of lab.steps(steps)) {
    const commandBuffers = Array.from({ length: kernels }, (_, kernel) => {
      const encoder = device.createCommandEncoder({ label: `step ${step}` })
      const pass = encoder.beginComputePass({ label: 'kernel' })
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x, y) // c += a · b
      pass.end()
      return encoder.finish()
    })
    device.queue.submit(commandBuffers)
  }

  await device.queue.onSubmittedWorkDone()
}
