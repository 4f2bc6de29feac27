// GPipe: all micro-batches go forward, then all come back. Until then each rank keeps the activations of all of them.
export default async function ({ rank, size, send, recv, lab, input }) {
  const { count, batch, room, forward, backward, lossGradient, flops } = input
  const [isFirst, isLast] = [rank === 0, rank === size - 1]
  const kept = new Map()

  for (let index = 0; index < count; index += 1) {
    const x = isFirst ? batch[index] : room()
    if (!isFirst) await recv(rank - 1, x)
    const made = await lab.compute(`forward ${index}`, flops, () => forward(x))
    kept.set(index, made)
    if (!isLast) await send(rank + 1, made.y)
  }

  for (let index = 0; index < count; index += 1) {
    const { y, activations } = kept.get(index)
    kept.delete(index)
    const dy = isLast ? lossGradient(y, index) : room()
    if (!isLast) await recv(rank + 1, dy)
    const dx = await lab.compute(`backward ${index}`, 2 * flops, () => backward(activations, dy))
    if (!isFirst) await send(rank - 1, dx)
  }
}
