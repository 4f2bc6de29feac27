/** Four ranks with a stage each: their passes are noted, what they send, and how much a stage keeps. */
import { slotsOf } from '../../../experiments/pipeline-bubble/variants'
import { ranksAtOnce } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import {
  backwardOf,
  batchOf,
  COUNT,
  forwardOf,
  lossGradientOf,
  passNumber,
  RANKS,
  SIZE,
  targetsOf,
  WEIGHTS,
  weightsOf,
  WORDS,
  type Step,
} from './stages'
import type { input } from './checks'

/** Passes of a rank, and messages of a pair: more are not looked at, and are too many. */
const MOST_NOTED = 4 * COUNT

interface Rank {
  readonly passes: { readonly index: number; readonly isBack: boolean }[]
  readonly sent: Record<'forward' | 'back', number[]>
  elsewhere: number
  /** Of micro-batches under way, by index. */
  readonly inputs: Map<number, Float32Array>
  kept: number
  readonly gradient: Float32Array
}

/** @throws TypeError with a sentence for the learner */
function expectBlock(call: string, value: unknown): asserts value is Float32Array {
  if (!(value instanceof Float32Array) || value.length !== WORDS)
    throw new TypeError(`${call}: that is no Float32Array of ${String(WORDS)} numbers.`)
}

export const prepare: PrepareExercise<Step> = (context, { seed }) => {
  const runOf = (repeat: number, at: number): WorkloadRun<Step> => {
    const own = seedFor(at, seed)
    const [weights, targets] = [weightsOf(own), targetsOf(own)]
    const all = RANKS.map((): Rank => ({
      passes: [],
      sent: { forward: [], back: [] },
      elsewhere: 0,
      inputs: new Map(),
      kept: 0,
      gradient: new Float32Array(WEIGHTS),
    }))
    const ofRank = (rank: number) => {
      const [stage, matrix] = [all[rank], weights[rank]]
      if (!stage || !matrix) throw new RangeError(`There is no rank ${String(rank)}.`)
      return { stage, matrix }
    }
    /** Noted, and drawn. */
    const pass = <T>(rank: number, index: number, isBack: boolean, body: () => T): T => {
      const { passes } = ofRank(rank).stage
      if (passes.length < MOST_NOTED) passes.push({ index, isBack })
      const start = context.session.now()
      const value = body()
      const name = `rank ${String(rank)}: ${isBack ? 'backward' : 'forward'} ${String(index)}`
      context.session.hostSpan('host-work', 'compute', name, start, context.session.now())
      return value
    }
    const inputOf = (rank: number) => {
      const { stage, matrix } = ofRank(rank)
      const who = `rank ${String(rank)}`
      return {
        count: COUNT,
        words: WORDS,
        batch: rank === 0 ? batchOf(own) : [],
        forward: (index: number, x: unknown) => {
          if (!Number.isInteger(index) || index < 0 || index >= COUNT)
            throw new TypeError(`forward(index, x): there is no micro-batch ${String(index)}.`)
          expectBlock(`forward(${String(index)}, x) on ${who}`, x)
          if (stage.inputs.has(index))
            throw new TypeError(
              `Micro-batch ${String(index)} has gone forward on ${who}, and is not back yet.`,
            )
          stage.inputs.set(index, x.slice())
          stage.kept = Math.max(stage.kept, stage.inputs.size)
          return pass(rank, index, false, () => forwardOf(x, matrix))
        },
        backward: (index: number, given: unknown) => {
          const x = stage.inputs.get(index)
          if (!x)
            throw new TypeError(
              `Micro-batch ${String(index)} has not gone forward on ${who}, or is back already.`,
            )
          let dy = given
          if (rank === SIZE - 1) dy = lossGradientOf(forwardOf(x, matrix), targets[index])
          expectBlock(`backward(${String(index)}, dy) on ${who}`, dy)
          stage.inputs.delete(index)
          const block = dy
          return pass(rank, index, true, () => {
            const { dx, gradient } = backwardOf(x, matrix, block)
            for (const [word, value] of gradient.entries())
              stage.gradient[word] = (stage.gradient[word] ?? 0) + value
            return dx
          })
        },
      } satisfies Given<typeof input>
    }
    const ranks = ranksAtOnce(context, {
      size: SIZE,
      inputOf,
      sent: (rank, peer, block) => {
        const { stage } = ofRank(rank)
        const way = peer === rank + 1 ? 'forward' : peer === rank - 1 ? 'back' : null
        if (way === null) stage.elsewhere += block.length
        else stage.sent[way].push(...block.subarray(0, MOST_NOTED * WORDS - stage.sent[way].length))
      },
      received: () => undefined,
    })
    const noted = <T extends string>(name: T, of: (rank: Rank) => readonly number[]) =>
      Object.fromEntries(all.map((rank, at) => [`${name}${String(at)}`, of(rank)])) as Record<
        `${T}${(typeof RANKS)[number]}`,
        readonly number[]
      >
    return {
      name: 'step',
      repeat,
      facts: { seed: own },
      input: {},
      execute: ranks.execute,
      find: () =>
        Promise.resolve({
          ...noted('passes', ({ passes }) => passes.map(({ index, isBack }) => passNumber(index, isBack))),
          ...noted('forward', ({ sent }) => sent.forward),
          ...noted('back', ({ sent }) => sent.back),
          elsewhere: all.map(({ elsewhere }) => elsewhere),
          kept: all.map(({ kept }) => kept),
          slots: slotsOf(all.map(({ passes }) => passes)) ?? -1,
          gradients: all.flatMap(({ gradient }) => [...gradient]),
          waits: ranks.waits(),
        }),
    }
  }
  return Promise.resolve({
    plan: {},
    runs: runsOf(runOf),
  })
}
