// A binomial tree with rank 0 as its root. In each round partners are twice as far apart: log2(size) rounds reach all ranks.
export default async function ({ rank, size, send, recv, input }) {
  const { operation, data, got, block, add } = input
  const distances = Array.from({ length: Math.ceil(Math.log2(size)) }, (_, round) => 2 ** round)
  const isChild = (distance) => rank % (2 * distance) === distance // of rank - distance
  const isParent = (distance) => rank % (2 * distance) === 0 && rank + distance < size

  async function reduce() {
    for (const distance of distances) {
      if (isChild(distance)) return send(rank - distance, data)
      if (!isParent(distance)) continue
      await recv(rank + distance, got)
      add(data, got) // data[i] += got[i]
    }
  }
  async function broadcast() {
    for (const distance of distances.toReversed()) {
      if (isChild(distance)) await recv(rank - distance, data)
      if (isParent(distance)) await send(rank + distance, data)
    }
  }
  // A partner has the blocks of its whole branch: those of ranks rank to rank + distance - 1.
  async function gather() {
    for (const distance of distances) {
      if (isChild(distance)) return send(rank - distance, block(rank, rank + distance))
      if (isParent(distance)) await recv(rank + distance, block(rank + distance, rank + 2 * distance))
    }
  }
  async function scatter() {
    for (const distance of distances.toReversed()) {
      if (isChild(distance)) await recv(rank - distance, block(rank, rank + distance))
      if (isParent(distance)) await send(rank + distance, block(rank + distance, rank + 2 * distance))
    }
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
