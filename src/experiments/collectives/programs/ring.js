// Each rank sends to the next one only. All links carry a block at the same time, and no rank has more to carry than another.
export default async function ({ rank, size, send, recv, input }) {
  const { operation, got, block, add } = input
  const next = (rank + 1) % size
  const before = (rank + size - 1) % size
  const around = (index) => block((index + 2 * size) % size)

  async function reduceScatter() {
    for (let step = 0; step < size - 1; step += 1) {
      const sum = around(rank - step - 2)
      const part = got.subarray(0, sum.length)
      await Promise.all([send(next, around(rank - step - 1)), recv(before, part)])
      add(sum, part) // sum[i] += part[i]
    }
  }
  async function allGather() {
    for (let step = 0; step < size - 1; step += 1)
      await Promise.all([send(next, around(rank - step)), recv(before, around(rank - step - 1))])
  }
  // With a root the ring is cut before rank 0. Block after block, each rank passes on what came.
  async function broadcast() {
    let passing = Promise.resolve()
    for (let index = 0; index < size; index += 1) {
      if (rank > 0) await recv(before, block(index))
      await passing
      if (next !== 0) passing = send(next, block(index))
    }
    await passing
  }
  async function gather() {
    for (let index = rank; index < size; index += 1) {
      const coming = index + 1 < size ? recv(next, block(index + 1)) : Promise.resolve()
      await Promise.all([rank > 0 ? send(before, block(index)) : Promise.resolve(), coming])
    }
  }

  const parts = {
    'all-reduce': [reduceScatter, allGather],
    'reduce-scatter': [reduceScatter],
    'all-gather': [allGather],
    broadcast: [broadcast],
    gather: [gather],
  }
  for (const part of parts[operation]) await part()
}
