// Fails 'messages': rank 1 never sends, and rank 0 makes up what it would have got.
export default async function ({ rank, send, recv, input }) {
  const { rounds, block } = input
  const other = 1 - rank
  const theirs = new Float32Array(block.length)

  for (let round = 0; round < rounds; round += 1) {
    if (rank === 0) {
      await send(other, block)
      theirs.set(block)
    } else {
      await recv(other, theirs)
    }
    for (let i = 0; i < block.length; i += 1) block[i] = 2 * block[i] + theirs[i]
  }
  return block
}
