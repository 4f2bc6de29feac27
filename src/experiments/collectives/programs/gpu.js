// The ring's all-reduce of a tensor on the GPU: down to the host, round the ring, and up again. Each rank has a GPUDevice.
export default async function ({ rank, size, send, recv, device, input }) {
  const { tensor, readback, data, got, block, add } = input
  const next = (rank + 1) % size
  const before = (rank + size - 1) % size
  const around = (index) => block((index + 2 * size) % size)

  // The way down.
  const encoder = device.createCommandEncoder({ label: 'down' })
  encoder.copyBufferToBuffer(tensor, 0, readback, 0, data.byteLength)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ, 0, data.byteLength)
  data.set(new Float32Array(readback.getMappedRange(0, data.byteLength)))
  readback.unmap()

  for (let step = 0; step < size - 1; step += 1) {
    const sum = around(rank - step - 2)
    const part = got.subarray(0, sum.length)
    await Promise.all([send(next, around(rank - step - 1)), recv(before, part)])
    add(sum, part) // sum[i] += part[i]
  }
  for (let step = 0; step < size - 1; step += 1)
    await Promise.all([send(next, around(rank - step)), recv(before, around(rank - step - 1))])

  // The way up.
  device.queue.writeBuffer(tensor, 0, data)
  await device.queue.onSubmittedWorkDone()
}
