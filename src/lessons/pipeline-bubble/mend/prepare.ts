/**
 * Four ranks with a stage each of a small model: whole numbers, exact in float32. The lab notes
 * their passes, and how much a stage keeps.
 */
import { slotsOf } from '../../../experiments/pipeline-bubble/variants'
import { multiplyPlain } from '../../../gpu/kernels/cpu/plain-matmul'
import { rankRuns } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { PrepareExercise } from '../../../exercises/workload'
import { COUNT, passNumber, ROWS, SIZE, WIDTH, WORDS, type Step } from './checks'

/** With weights of ±1 the largest sum is 4 · 4^4 · 257 · 16, which is below 2^24. */
const LARGEST = 4
const WEIGHTS = WIDTH * WIDTH
/** Passes of a rank: more are not looked at, and are too many. */
const MOST_NOTED = 4 * COUNT

function transposed(from: Float32Array, columns: number): Float32Array {
  const rows = from.length / columns
  return from.map((_, at) => from[(at % rows) * columns + Math.floor(at / rows)] ?? Number.NaN)
}

interface Stage {
  /** y = x · W. */
  readonly weights: Float32Array
  readonly gradient: Float32Array
  readonly passes: { readonly index: number; readonly isBack: boolean }[]
  /** Inputs of the micro-batches under way, by index. */
  readonly inputs: Map<number, Float32Array>
  kept: number
}

/** @throws TypeError with a sentence for the learner */
function expectBlock(call: string, value: unknown): asserts value is Float32Array {
  if (!(value instanceof Float32Array) || value.length !== WORDS)
    throw new TypeError(`${call}: that is no Float32Array of ${String(WORDS)} numbers.`)
}

export const prepare: PrepareExercise<Step> = (context, { seed }) => {
  const { session } = context
  let drawn = 0
  const small = (length: number, of: (word: number) => number) =>
    Float32Array.from({ length }, () => of(seedFor(drawn++, seed)))
  const microBatches = () =>
    Array.from({ length: COUNT }, () => small(WORDS, (word) => (word % (2 * LARGEST + 1)) - LARGEST))
  const weights = Array.from({ length: SIZE }, () => small(WEIGHTS, (word) => 1 - 2 * (word % 2)))
  const [batch, targets] = [microBatches(), microBatches()]
  let stages: readonly Stage[] = []

  const inputOf = (rank: number) => {
    const stage = stages[rank]
    if (!stage) throw new RangeError(`There is no rank ${String(rank)}.`)
    const who = `rank ${String(rank)}`
    const forward = (x: Float32Array) => multiplyPlain(x, stage.weights, WIDTH, { rows: ROWS })
    /** Every pass is noted for the checks, and drawn. */
    const pass = <T>(index: number, isBack: boolean, body: () => T): T => {
      if (stage.passes.length < MOST_NOTED) stage.passes.push({ index, isBack })
      const start = session.now()
      const value = body()
      const name = `${who}: ${isBack ? 'backward' : 'forward'} ${String(index)}`
      session.hostSpan('host-work', 'compute', name, start, session.now())
      return value
    }
    return {
      count: COUNT,
      words: WORDS,
      batch: rank === 0 ? batch : [],
      forward: (index: number, x: unknown) => {
        if (!Number.isInteger(index) || index < 0 || index >= COUNT)
          throw new TypeError(`forward(index, x): there is no micro-batch ${String(index)}.`)
        expectBlock(`forward(${String(index)}, x) on ${who}`, x)
        if (stage.inputs.has(index))
          throw new TypeError(`Micro-batch ${String(index)} has gone forward on ${who}, and is not back yet.`)
        stage.inputs.set(index, x.slice())
        stage.kept = Math.max(stage.kept, stage.inputs.size)
        return pass(index, false, () => forward(x))
      },
      backward: (index: number, given: unknown) => {
        const x = stage.inputs.get(index)
        if (!x)
          throw new TypeError(
            `Micro-batch ${String(index)} has not gone forward on ${who}, or is back already.`,
          )
        // The loss is half of the squared differences.
        const lossOf = () => forward(x).map((y, at) => y - (targets[index]?.[at] ?? Number.NaN))
        const dy = rank === SIZE - 1 ? lossOf() : given
        expectBlock(`backward(${String(index)}, dy) on ${who}`, dy)
        stage.inputs.delete(index)
        return pass(index, true, () => {
          const gradient = multiplyPlain(transposed(x, WIDTH), dy, WIDTH, { rows: WIDTH, inner: ROWS })
          for (const [word, value] of gradient.entries())
            stage.gradient[word] = (stage.gradient[word] ?? 0) + value
          return multiplyPlain(dy, transposed(stage.weights, WIDTH), WIDTH, { rows: ROWS })
        })
      },
    }
  }
  const runs = rankRuns<Step>(context, {
    name: 'step',
    size: SIZE,
    inputOf,
    before: () => {
      stages = weights.map((matrix) => ({
        weights: matrix,
        gradient: new Float32Array(WEIGHTS),
        passes: [],
        inputs: new Map(),
        kept: 0,
      }))
    },
    find: ({ sent }) => {
      const to = (offset: number) =>
        sent.map((messages, rank) => messages.filter((each) => each.to === rank + offset))
      const ways = { forward: to(1), back: to(-1) }
      const countsOf = (way: typeof ways.forward) => way.map(({ length }) => length)
      return {
        passes: stages.flatMap(({ passes }, rank) =>
          passes.map(({ index, isBack }) => passNumber(rank, index, isBack)),
        ),
        forward: countsOf(ways.forward),
        back: countsOf(ways.back),
        messages: [...ways.forward, ...ways.back].flatMap((own) =>
          own
            .map(({ block }) => [...block])
            .toSorted((one, other) => String(one).localeCompare(String(other)))
            .flat(),
        ),
        kept: stages.map(({ kept }) => kept),
        slots: slotsOf(stages.map(({ passes }) => passes)) ?? -1,
        gradients: stages.flatMap(({ gradient }) => [...gradient]),
      }
    },
  })
  return Promise.resolve({ plan: {}, runs })
}
