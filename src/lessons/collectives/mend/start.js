// A reduce-scatter: each rank ends with the sums of its own block. All buffers go to rank 0, which adds them up and hands out the blocks.
export default async function ({ rank, size, send, recv, input }) {
  const { data } = input // as long on every rank, and different
  const length = data.length / size
  const block = (index) => data.subarray(index * length, (index + 1) * length)

  if (rank > 0) {
    await send(0, data)
    await recv(0, block(rank))
    return block(rank)
  }
  const got = new Float32Array(data.length)
  for (let from = 1; from < size; from += 1) {
    await recv(from, got)
    for (let i = 0; i < data.length; i += 1) data[i] += got[i]
  }
  for (let to = 1; to < size; to += 1) await send(to, block(to))
  return block(0)
}
