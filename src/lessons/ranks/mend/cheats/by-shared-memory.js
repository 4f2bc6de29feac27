// Fails 'messages': both ranks run in one realm here, and this hands the blocks over through a variable of it.
let meeting = null

export default async function ({ rank, input }) {
  const { rounds, block } = input
  if (rank === 0) return new Promise((resolve) => (meeting = { block, resolve }))
  let [mine, theirs] = [block, meeting.block]
  for (let round = 0; round < rounds; round += 1)
    [mine, theirs] = [mine.map((own, i) => 2 * own + theirs[i]), theirs.map((own, i) => 2 * own + mine[i])]
  meeting.resolve(theirs)
  return mine
}
