// 1F1B: once the pipeline is full, a rank goes one forward and one back in turn. It keeps the activations of size - rank at most.
export default async function ({ rank, size, send, recv, lab, input }) {
  const { count, batch, room, forward, backward, lossGradient, flops } = input
  const [isFirst, isLast] = [rank === 0, rank === size - 1]
  const ahead = Math.min(count, size - 1 - rank) // go forward before the first comes back
  const kept = new Map()

  const goForward = async (index, x) => {
    const made = await lab.compute(`forward ${index}`, flops, () => forward(x))
    kept.set(index, made)
    return made.y
  }
  const goBack = (index, dy) => {
    const { activations } = kept.get(index)
    kept.delete(index)
    return lab.compute(`backward ${index}`, 2 * flops, () => backward(activations, dy))
  }
  // Both go on at once: if two neighbours both sent first, each would wait for the other's recv.
  const exchange = (peer, sent, received) =>
    Promise.all([sent ? send(peer, sent) : null, received ? recv(peer, received) : null])

  const inputOf = (index) => (isFirst ? batch[index] : room())
  for (let index = 0; index < ahead; index += 1) {
    const x = inputOf(index)
    if (!isFirst) await recv(rank - 1, x)
    await send(rank + 1, await goForward(index, x))
  }

  let x = ahead < count ? inputOf(ahead) : null
  if (!isFirst && x) await recv(rank - 1, x)
  for (let index = ahead; index < count; index += 1) {
    const y = await goForward(index, x)
    const back = index - ahead
    const dy = isLast ? lossGradient(y, back) : room()
    if (!isLast) await exchange(rank + 1, y, dy)
    const dx = await goBack(back, dy)
    x = index + 1 < count ? inputOf(index + 1) : null
    if (!isFirst) await exchange(rank - 1, dx, x)
  }

  for (let back = count - ahead; back < count; back += 1) {
    const dy = room()
    await recv(rank + 1, dy)
    const dx = await goBack(back, dy)
    if (!isFirst) await send(rank - 1, dx)
  }
}
