// Fails 'messages': all ranks run in one realm here, and this adds up through a variable of it.
const buffers = []

export default async function ({ rank, size, input }) {
  const { data } = input
  buffers[rank] = data
  await null // all have come so far
  const length = data.length / size
  return Float32Array.from({ length }, (_, i) =>
    buffers.reduce((sum, each) => sum + each[rank * length + i], 0),
  )
}
