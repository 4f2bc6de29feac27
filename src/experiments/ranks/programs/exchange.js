// A sum over both ranks after each product. Nobody needs a number of the product, but a rank may read one all the same.
export default async function ({ rank, send, recv, device, lab, input }) {
  const { matmul, times, readback, numbers, reads } = input
  const mine = new Float32Array(1)
  const theirs = new Float32Array(1)
  const sums = []

  for (const step of lab.steps(numbers.length)) {
    const encoder = device.createCommandEncoder({ label: `step ${step}` })
    matmul.encode(encoder, times)
    if (reads) encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])

    if (reads) {
      await readback.mapAsync(GPUMapMode.READ, 0, 4) // print(loss.item())
      readback.unmap()
    }

    mine[0] = numbers[step]
    if (rank === 0) await send(1, mine)
    await recv(1 - rank, theirs)
    if (rank === 1) await send(0, mine)
    sums.push(mine[0] + theirs[0])
  }
  await device.queue.onSubmittedWorkDone()
  return sums
}
