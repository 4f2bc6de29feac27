// Both loops run at the same time. The forward loop waits until the backward loop makes room.
const gates = (free) => {
  const waiting = []
  return {
    take: async () => {
      if (free > 0) free -= 1
      else await new Promise((go) => waiting.push(go))
    },
    give: () => {
      const go = waiting.shift()
      if (go) go()
      else free += 1
    },
  }
}
export default async function ({ rank, size, send, recv, input }) {
  const { count, words, batch, forward, backward } = input
  const [room, done] = [gates(size - rank), gates(0)]
  const [isFirst, isLast] = [rank === 0, rank === size - 1]

  const goForward = async () => {
    for (let index = 0; index < count; index += 1) {
      await room.take()
      const x = isFirst ? batch[index] : new Float32Array(words)
      if (!isFirst) await recv(rank - 1, x)
      const y = forward(index, x) // from here on the activations are kept
      done.give()
      if (!isLast) await send(rank + 1, y)
    }
  }
  const goBack = async () => {
    for (let index = 0; index < count; index += 1) {
      await done.take()
      const dy = isLast ? null : new Float32Array(words)
      if (!isLast) await recv(rank + 1, dy)
      const dx = backward(index, dy)
      room.give()
      if (!isFirst) await send(rank - 1, dx)
    }
  }
  await Promise.all([goForward(), goBack()])
}
