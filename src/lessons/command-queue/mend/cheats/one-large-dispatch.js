// Fails 'output': one dispatch with all workgroups at once: each word is changed by one kernel.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, bindGroups[0])
  pass.dispatchWorkgroups(x * kernels)
  pass.end()
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
}
