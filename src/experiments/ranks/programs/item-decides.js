// A sum over both ranks after each product, but not where the loss is not finite. Each rank looks at its own loss.
export default async function ({ rank, send, recv, device, lab, input }) {
  const { matmul, times, readback, losses } = input
  const mine = new Float32Array(1)
  const theirs = new Float32Array(1)
  let skipped = 0

  for (const step of lab.steps(losses.length)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, times)
    encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])
    await readback.mapAsync(GPUMapMode.READ, 0, 4) // loss.item()
    readback.unmap()

    mine[0] = losses[step]
    if (!Number.isFinite(mine[0])) {
      skipped += 1 // this rank alone leaves the sum out
      continue
    }
    if (rank === 0) await send(1, mine)
    await recv(1 - rank, theirs)
    if (rank === 1) await send(0, mine)
  }
  return skipped
}
