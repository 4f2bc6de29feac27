// What one message costs: rank 0 sends to rank 1, which sends it back. Half of a round trip is one message.
export default async function ({ rank, send, recv, lab, input }) {
  const { data, trips } = input
  const other = 1 - rank
  for (const _ of lab.steps(trips)) {
    if (rank === 0) await send(other, data)
    await recv(other, data)
    if (rank === 1) await send(other, data)
  }
}
