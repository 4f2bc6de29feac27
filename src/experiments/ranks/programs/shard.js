// One product, its rows shared out. Each rank multiplies its rows of A by B on a GPUDevice of its own; rank 0 gathers the result.
export default async function ({ rank, size, send, recv, device, input }) {
  const { matmul, times, readback, bytes } = input // its rows: a different part on each rank

  const encoder = device.createCommandEncoder({ label: 'rows' })
  matmul.encode(encoder, times) // its rows of c += a · b
  encoder.copyBufferToBuffer(matmul.c, 0, readback, 0, bytes)
  device.queue.submit([encoder.finish()])

  await readback.mapAsync(GPUMapMode.READ)
  const rows = new Float32Array(readback.getMappedRange().slice(0))
  readback.unmap()

  if (rank > 0) return send(0, rows) // returns once rank 0 has received it
  const product = [rows]
  for (let from = 1; from < size; from += 1) {
    product.push(new Float32Array(rows.length))
    await recv(from, product[from])
  }
  return product
}
