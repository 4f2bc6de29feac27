// It begins all receives from the previous rank at once, and awaits them one by one.
export default async function ({ rank, size, send, recv, input }) {
  const { count, words, batch, forward, backward } = input
  const [isFirst, isLast] = [rank === 0, rank === size - 1]
  const ahead = size - 1 - rank // go forward before the first comes back
  const inbox = Array.from({ length: isFirst ? 0 : count }, async () => {
    const x = new Float32Array(words)
    await recv(rank - 1, x)
    return x
  })
  const sends = [] // begun, and not waited for: neighbours send to each other at the same time

  const goForward = async (index) => {
    const x = isFirst ? batch[index] : await inbox[index]
    const y = forward(index, x)
    if (!isLast) sends.push(send(rank + 1, y))
  }
  const goBack = async (index) => {
    const dy = isLast ? null : new Float32Array(words)
    if (!isLast) await recv(rank + 1, dy)
    const dx = backward(index, dy)
    if (!isFirst) sends.push(send(rank - 1, dx))
  }

  for (let turn = 0; turn < count + ahead; turn += 1) {
    if (turn < count) await goForward(turn)
    if (turn >= ahead) await goBack(turn - ahead)
  }
  await Promise.all(sends)
}
