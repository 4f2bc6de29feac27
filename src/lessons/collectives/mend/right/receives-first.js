// It begins to receive, sends, and then waits for the block.
export default async function ({ rank, size, send, recv, input }) {
  const { data } = input
  const length = data.length / size
  const block = (index) => {
    const at = (index + 2 * size) % size
    return data.subarray(at * length, (at + 1) * length)
  }
  const next = (rank + 1) % size
  const before = (rank + size - 1) % size
  const got = new Float32Array(length)

  for (let step = 0; step < size - 1; step += 1) {
    const sum = block(rank - step - 2)
    const coming = recv(before, got)
    await send(next, block(rank - step - 1))
    await coming
    for (let i = 0; i < length; i += 1) sum[i] += got[i]
  }
  return block(rank)
}
