/**
 * The schedules, on any number of ranks: their gradients, what they keep, how long they take by the
 * model; and that none hangs.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProgramApi, RankProgram } from '../../lab/lab'
import { ModelledRanks } from '../../model/ranks'
import { makeWire, SharedEndpoint } from '../../lab/ranks/shared-wire'
import { verificationOf } from '../open-world'
import { prepareRank, microBatches, Stage, type StageSpec, type Told } from './prepare-rank'
import {
  bubbleOf,
  GPIPE,
  layersOf,
  MICRO_BATCHES,
  MOST_RANKS,
  ROWS,
  SCHEDULES,
  SPLITS,
  type Schedule,
  type Split,
} from './variants'
import { forAllAwaited } from '../../testing/for-all'

const programs = import.meta.glob<RankProgram>('./programs/*.js', { import: 'default', eager: true })
const WIDTH = 8
const SIZES = Array.from({ length: MOST_RANKS - 1 }, (_, index) => index + 2)
const COUNTS = MICRO_BATCHES.map(Number)
const splits = Object.keys(SPLITS) as readonly Split[]

type Runs = (program: RankProgram, inputOf: (rank: number) => unknown) => Promise<unknown>
const onSharedWire =
  (size: number): Runs =>
  async (program, inputOf) => {
    const memory = makeWire(size)
    const lab: ProgramApi = { steps: () => [], compute: (_label, _flops, body) => body() }
    return Promise.all(
      Array.from({ length: size }, (_, rank) => {
        const end = new SharedEndpoint(memory, rank, { sleepMs: 0 })
        const [send, recv] = [end.send.bind(end), end.recv.bind(end)]
        return program({ rank, size, send, recv, lab, input: inputOf(rank), device: null })
      }),
    )
  }
const modelled =
  (ranks: ModelledRanks): Runs =>
  (program, inputOf) =>
    ranks.run(program, inputOf)

/** By rank. */
async function run(
  schedule: Schedule,
  { layers, count }: Pick<StageSpec, 'layers' | 'count'>,
  runs: Runs,
): Promise<readonly Told[]> {
  const program = programs[`./programs/${schedule}.js`]
  if (!program) throw new Error(`There is no program '${schedule}'.`)
  const size = layers.length
  const works = await Promise.all(
    layers.map((_, rank) => prepareRank(null, { layers, width: WIDTH, count }, { rank, size })),
  )
  for (const { before } of works) await before?.()
  await runs(program, (rank) => works[rank]?.input)
  return works.map(({ told }) => told?.(undefined) as Told)
}

/** Idle share of all ranks. */
async function timed(schedule: Schedule, layers: readonly number[], count: number): Promise<number> {
  const ranks = new ModelledRanks(layers.length)
  await run(schedule, { layers, count }, modelled(ranks))
  const busy = ranks.busy.flat().reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
  return 1 - busy / (layers.length * Math.max(...ranks.now))
}

describe.each(SCHEDULES)('%s', (schedule) => {
  it('has the gradients of the whole model, on the ranks’ own wire, whatever the batch is cut into', async () => {
    await forAllAwaited(4)(
      fc.constantFrom(...SIZES),
      fc.constantFrom(...COUNTS),
      fc.constantFrom(...splits),
      async (size, count, split) => {
        const told = await run(schedule, { layers: layersOf(split, size), count }, onSharedWire(size))
        const { checked, failed } = verificationOf({ outputs: told })
        expect(failed).toBe(0)
        expect(checked).toBe(4 * size * WIDTH ** 2)
      },
    )
  })

  it('keeps all micro-batches, or no more than there are ranks from here on', async () => {
    for (const size of [2, 3, 8])
      for (const count of COUNTS) {
        const ranks = new ModelledRanks(size)
        const told = await run(schedule, { layers: layersOf('even', size), count }, modelled(ranks))
        expect(told.map(({ kept }) => kept)).toEqual(
          told.map((_, rank) => (schedule === GPIPE ? count : Math.min(count, size - rank))),
        )
      }
  })

  it('takes as long as the model says where messages cost nothing', async () => {
    for (const size of [2, 4, 8])
      for (const count of COUNTS) {
        expect(bubbleOf(schedule, layersOf('even', size), count)).toBeCloseTo(
          (size - 1) / (count + size - 1),
          12,
        )
        for (const split of splits) {
          const layers = layersOf(split, size)
          const idle = await timed(schedule, layers, count)
          expect(idle, `${String(size)} ranks, ${String(count)} micro-batches, ${split}`).toBeCloseTo(
            bubbleOf(schedule, layers, count),
            9,
          )
        }
      }
  })
})

it('has the gradient of a layer, by its definition', () => {
  const stage = new Stage({ layers: [1], width: WIDTH }, 0)
  const { batch, lossGradient } = microBatches(WIDTH, 1)
  const [x = new Float32Array()] = batch
  const { y, activations } = stage.forward(x)
  const dy = lossGradient(y, 0)
  stage.backward(activations, dy)
  for (const [at, value] of (stage.gradients[0] ?? []).entries()) {
    let sum = 0
    for (let row = 0; row < ROWS; row += 1)
      sum += (x[row * WIDTH + Math.floor(at / WIDTH)] ?? 0) * (dy[row * WIDTH + (at % WIDTH)] ?? 0)
    expect(value).toBeCloseTo(sum, 5)
  }
})

it('finds a micro-batch left out, taken twice, or not brought back, and a rank that says nothing', () => {
  const shape = { layers: [2], width: WIDTH }
  const goneRound = (order: readonly number[], brings = order.length): Told => {
    const stage = new Stage(shape, 0)
    const { batch, lossGradient } = microBatches(WIDTH, 4)
    for (const [turn, index] of order.entries()) {
      const { y, activations } = stage.forward(batch[index] ?? new Float32Array())
      if (turn < brings) stage.backward(activations, lossGradient(y, index))
    }
    return stage.told()
  }
  expect(goneRound([0, 1, 2, 3])).toMatchObject({ failed: 0, kept: 1 })
  expect(goneRound([3, 0, 2, 1]).failed).toBe(0)
  for (const wrong of [goneRound([0, 1, 2]), goneRound([0, 1, 2, 3, 3]), goneRound([0, 1, 2, 3, 0], 4)])
    expect(wrong.failed).toBeGreaterThan(0)
  expect(verificationOf({ outputs: [goneRound([0, 1, 2, 3]), null] }).failed).toBe(1)
  const stage = new Stage(shape, 0)
  expect(() => stage.backward([], new Float32Array(WIDTH))).toThrow('no micro-batch under way')
})
