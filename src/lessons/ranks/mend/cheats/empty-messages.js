// Fails 'messages': as by-shared-memory, with messages of zeros for those who count them.
const blocks = [null, null]

export default async function ({ rank, send, recv, input }) {
  const { rounds, block } = input
  blocks[rank] = block.slice()
  const zeros = new Float32Array(block.length)
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([send(1 - rank, zeros), recv(1 - rank, new Float32Array(block.length))])
  let [mine, theirs] = [blocks[rank], blocks[1 - rank]]
  for (let round = 0; round < rounds; round += 1)
    [mine, theirs] = [mine.map((own, i) => 2 * own + theirs[i]), theirs.map((own, i) => 2 * own + mine[i])]
  return mine
}
