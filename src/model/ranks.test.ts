/** Ranks on the model that never go on: ended in the words in which ranks of the lab are. */
import { describe, expect, it } from 'vitest'
import type { RankProgram } from '../lab/lab'
import { ModelledRanks } from './ranks'

const run = (size: number, program: RankProgram) => new ModelledRanks(size).run(program, () => null)
const word = () => new Uint8Array(4)

describe('ranks of which none goes on', () => {
  it('wait for each other in a cycle: both receive before they send', async () => {
    const program: RankProgram = async ({ rank, send, recv }) => {
      await recv(1 - rank, word())
      await send(1 - rank, word())
    }
    await expect(run(2, program)).rejects.toThrow(
      'The ranks 0, 1 wait for each other in a cycle: rank 0 in recv from rank 1, rank 1 in recv from rank 0.',
    )
  })

  it('wait for one that has returned, and for whoever waits for that one', async () => {
    const program: RankProgram = async ({ rank, recv }) => {
      if (rank < 2) await recv(rank + 1, word())
    }
    await expect(run(3, program)).rejects.toThrow(
      /Nobody answers any more: .*rank 1 in recv from rank 2; rank 2 has returned/,
    )
  })

  it('wait for what is no message', async () => {
    const program: RankProgram = async ({ rank, recv }) =>
      await (rank === 0 ? new Promise(() => undefined) : recv(0, word()))
    await expect(run(2, program)).rejects.toThrow('rank 0 waits for something that is neither send nor recv')
  })
})

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
