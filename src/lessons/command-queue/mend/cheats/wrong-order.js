// Fails 'output': all uses of the same numbers one after the other, which saves most calls of setBindGroup().
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels } = input
  const [x] = workgroups

  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  for (const bindGroup of bindGroups) {
    pass.setBindGroup(0, bindGroup)
    for (let kernel = 0; kernel < kernels / bindGroups.length; kernel += 1) pass.dispatchWorkgroups(x)
  }
  pass.end()
  device.queue.submit([encoder.finish()])

  await device.queue.onSubmittedWorkDone()
}
