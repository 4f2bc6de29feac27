// Two ranks run this program at once. In each round they exchange their blocks. Here both send first, and neither goes on.
export default async function ({ rank, send, recv, input }) {
  const { rounds, block } = input // a block of its own on each rank
  const other = 1 - rank
  const theirs = new Float32Array(block.length)

  for (let round = 0; round < rounds; round += 1) {
    await send(other, block) // returns once the other rank has received it
    await recv(other, theirs)
    for (let i = 0; i < block.length; i += 1) block[i] = 2 * block[i] + theirs[i]
  }
  return block
}
