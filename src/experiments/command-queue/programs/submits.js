// Each kernel in its own submit, as PyTorch launches them one by one. Nothing is awaited before the end.
export default async function ({ device, lab, input }) {
  const { pipeline, bindGroups, workgroups, kernels, steps } = input
  const [x, y] = workgroups

  for (const step of lab.steps(steps)) {
    for (let kernel = 0; kernel < kernels; kernel += 1) {
      const encoder = device.createCommandEncoder({ label: `step ${step}` })
      const pass = encoder.beginComputePass({ label: 'kernel' })
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroups[kernel % bindGroups.length])
      pass.dispatchWorkgroups(x, y) // c += a · b
      pass.end()
      device.queue.submit([encoder.finish()]) // returns before the kernel has run
    }
  }

  await device.queue.onSubmittedWorkDone()
}
