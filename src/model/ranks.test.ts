/** Ranks on the model. */
import { expect, it } from 'vitest'
import type { RankProgram } from '../lab/lab'
import { ModelledRanks } from './ranks'

const word = () => new Uint8Array(4)

it('lets ranks go on that compute over many turns, and a second run after one that ended', async () => {
  const program: RankProgram = async ({ rank, send, recv, lab }) => {
    if (rank === 0) {
      await lab.compute('slow', 5, async () => {
        for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setTimeout(done, 1))
      })
      await send(1, word())
    } else await recv(0, word())
  }
  const ranks = new ModelledRanks(2)
  await ranks.run(program, () => null)
  await ranks.run(program, () => null)
  expect(ranks.now).toEqual([10, 10])
})
