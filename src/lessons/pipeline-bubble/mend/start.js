// GPipe, on four ranks at once: all micro-batches go forward, then all come back. Until then each rank keeps the activations of all.
export default async function ({ rank, size, send, recv, input }) {
  const { count, words, batch, forward, backward } = input
  const [isFirst, isLast] = [rank === 0, rank === size - 1]

  for (let index = 0; index < count; index += 1) {
    const x = isFirst ? batch[index] : new Float32Array(words)
    if (!isFirst) await recv(rank - 1, x)
    const y = forward(index, x) // from here on the activations are kept
    if (!isLast) await send(rank + 1, y) // returns once the next rank has received it
  }
  for (let index = 0; index < count; index += 1) {
    const dy = isLast ? null : new Float32Array(words)
    if (!isLast) await recv(rank + 1, dy)
    const dx = backward(index, dy) // the activations are released
    if (!isFirst) await send(rank - 1, dx)
  }
}
