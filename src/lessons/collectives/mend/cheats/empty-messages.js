// Fails 'messages': as by-shared-memory, with blocks of zeros for those who count them.
const buffers = []

export default async function ({ rank, size, send, recv, input }) {
  const { data } = input
  buffers[rank] = data
  const length = data.length / size
  for (let step = 0; step < size - 1; step += 1)
    await Promise.all([
      send((rank + 1) % size, new Float32Array(length)),
      recv((rank + size - 1) % size, new Float32Array(length)),
    ])
  return Float32Array.from({ length }, (_, i) =>
    buffers.reduce((sum, each) => sum + each[rank * length + i], 0),
  )
}
