// Like DataLoader(num_workers=n, prefetch_factor=k): n workers make batches, so many ahead, and the loop takes them in order.
export default async function ({ device, lab, input }) {
  const { loader, target, uses, matmul, steps } = input
  const ended = []
  loader.start(steps) // the workers begin with the first batches

  for (const step of lab.steps(steps)) {
    const batch = await loader.next() // made meanwhile, unless the workers are behind

    await ended[step % 2] // two steps are in flight at most, as in a loop that reads its loss
    device.queue.writeBuffer(target, 0, batch)
    loader.giveBack(batch) // its memory is for another batch

    const encoder = device.createCommandEncoder({ label: `batch ${step}` })
    uses[step].encode(encoder) // only for the check: keeps 256 words of what arrived
    matmul.encode(encoder) // the layers: c += a · b
    device.queue.submit([encoder.finish()])
    ended[step % 2] = device.queue.onSubmittedWorkDone()
  }

  await device.queue.onSubmittedWorkDone()
}
