// Everything goes through rank 0. `data` is a buffer of the same size on every rank; block(i) is the part of it that is rank i's.
export default async function ({ rank, size, send, recv, input }) {
  const { operation, data, got, block, add } = input
  const others = Array.from({ length: size - 1 }, (_, index) => index + 1)

  async function reduce() {
    if (rank > 0) return send(0, data)
    for (const from of others) {
      await recv(from, got)
      add(data, got) // data[i] += got[i]
    }
  }
  async function broadcast() {
    if (rank > 0) return recv(0, data)
    await Promise.all(others.map((to) => send(to, data)))
  }
  async function gather() {
    if (rank > 0) return send(0, block(rank))
    await Promise.all(others.map((from) => recv(from, block(from))))
  }
  async function scatter() {
    if (rank > 0) return recv(0, block(rank))
    await Promise.all(others.map((to) => send(to, block(to))))
  }

  const parts = {
    'all-reduce': [reduce, broadcast],
    'reduce-scatter': [reduce, scatter],
    'all-gather': [gather, broadcast],
    broadcast: [broadcast],
    gather: [gather],
  }
  for (const part of parts[operation]) await part()
}
