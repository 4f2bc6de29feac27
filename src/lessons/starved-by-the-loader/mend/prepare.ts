/**
 * Batches that take longer to make than to compute on, by the loop itself or by two workers. Each run has batches of its own. When each was
 * asked for is noted by the lab, and words of what arrived are kept on the device.
 */
import { wordsFor } from '../../../experiments/starved-by-the-loader/sizes'
import type { RunContext } from '../../../gpu'
import { GATHER_WORDS } from '../../../gpu/kernels/data/gather'
import { createMatmul, type Encodable } from '../../../lab/matmul'
import { createArrivals } from '../../../lab/arrivals'
import { createBatchMaker, timeMaking } from '../../../lab/batch-maker'
import { openMakers } from '../../../lab/loader'
import type { Given } from '../../../exercises/names'
import { readAll } from '../../../exercises/worker/shader'
import {
  runsOf,
  type ExerciseServices,
  type PrepareExercise,
  type WorkloadRun,
} from '../../../exercises/workload'
import { checkTimes } from '../../../exercises/worker/times'
import { seededSquare, seedFor, sizeFor } from '../../../exercises/worker/square'
import { datasetOf, ENTRIES, KEPT_WORDS, type Batches } from './batches'
import type { input } from './checks'

const WORKERS = 2
const RUNS = 4
const STEPS = 16
const LEAST_STEPS = 6
/** The unchanged program takes about so long: with ends reported every 100 ms that is fewer steps. */
const START_MS = 1500
const COMPUTE_MS = 4
/** Of a step without making: one worker is too slow for it, two are quick enough. */
const MAKING = 1.5
const AUGMENTATIONS = 15
const TRIAL_WORDS = 2 ** 18
/** What is computed in JavaScript on a modelled machine, whose time it does not take. */
const MODELLED_WORDS = 2 ** 14

interface Maker {
  readonly make: (index: number) => Float32Array
  readonly ask: (index: number) => Promise<Float32Array>
  /** How long making took since this was asked last, all together. */
  readonly tookMs: () => number
}

async function measurePlan(context: RunContext, services: ExerciseServices) {
  const n = await sizeFor(context, services, COMPUTE_MS)
  const stepMs = COMPUTE_MS + services.roundTripMs
  const makeMs = MAKING * stepMs
  const steps = Math.max(LEAST_STEPS, Math.min(STEPS, Math.floor(START_MS / (stepMs + makeMs))))
  if (services.modelledHost) return { n, steps, makeMs, words: MODELLED_WORDS }
  const { decodeMs, augmentMs } = timeMaking(TRIAL_WORDS, 1)
  return { n, steps, makeMs, words: wordsFor(makeMs, TRIAL_WORDS, decodeMs + AUGMENTATIONS * augmentMs) }
}

/**
 * A mend's realm is terminated when it has answered, and its workers with it. Ended a moment before, they leave its thread behind for good,
 * with all its memory: Chromium 156 did so for 4 of 15 (a page that does nothing else).
 */
const REALM = { own: <T>(worker: T): T => worker }

/** Worker i makes every second batch, one after the other. */
async function openMaker(
  context: RunContext,
  { modelledHost }: ExerciseServices,
  facts: Parameters<typeof datasetOf>[0],
  makeMs: number,
): Promise<Maker> {
  const { session } = context
  let madeMs = 0
  const known = createBatchMaker(datasetOf(facts))
  const newBatch = (index: number): Float32Array => {
    const batch = new Float32Array(known.words)
    known.make(index, batch)
    return batch
  }
  const make = (index: number): Float32Array => {
    const start = session.now()
    modelledHost?.busy(makeMs)
    const batch = newBatch(index)
    const end = session.now()
    session.hostSpan('host-work', 'compute', `make batch ${String(index)}`, start, end, {
      bytes: batch.byteLength,
    })
    madeMs += (end - start) / 1e6
    return batch
  }
  const tookMs = (): number => {
    const took = madeMs
    madeMs = 0
    return took
  }
  if (modelledHost) {
    const workers = Array.from({ length: WORKERS }, (_, worker) => ({
      thread: session.otherThread(`host (loader ${String(worker)})`),
      free: Promise.resolve(),
    }))
    return {
      make,
      tookMs,
      ask: async (index) => {
        const [worker, askedNs, tag] = [workers[index % WORKERS], session.now(), session.tag]
        if (!worker) throw new Error('There is no such worker.')
        const { timeOrigin: timeOriginMs } = performance
        const made = worker.free.then(async () => {
          const startMs = performance.now()
          await modelledHost.beside(makeMs)
          madeMs += makeMs
          worker.thread.worked({
            name: `make batch ${String(index)}`,
            timeOriginMs,
            startMs,
            endMs: performance.now(),
            askedNs,
            heardNs: session.now(),
            bytes: 4 * known.words,
            tag,
          })
        })
        worker.free = made
        await made
        return newBatch(index)
      },
    }
  }
  interface Waiting {
    readonly resolve: (batch: Float32Array) => void
    readonly reject: (why: Error) => void
  }
  const waiting = new Map<number, Waiting[]>()
  const heard = {
    made: (index: number, memory: ArrayBuffer, took: number) => {
      madeMs += took
      waiting.get(index)?.shift()?.resolve(new Float32Array(memory))
    },
    failed: (why: Error) => {
      for (const each of [...waiting.values()].flat()) each.reject(why)
    },
  }
  const opened = await openMakers(context, datasetOf(facts), WORKERS, heard, REALM)
  if (!opened.ok) throw new Error(opened.error)
  return {
    make,
    tookMs,
    ask: (index) =>
      new Promise((resolve, reject) => {
        waiting.set(index, [...(waiting.get(index) ?? []), { resolve, reject }])
        opened.value(index % WORKERS, index, new ArrayBuffer(4 * known.words))
      }),
  }
}

export const prepare: PrepareExercise<Batches> = async (context, services) => {
  const plan = services.plan ?? (await measurePlan(context, services))
  const size = (name: string): number => Number(plan[name as keyof typeof plan])
  const [n, steps, words, makeMs] = [size('n'), size('steps'), size('words'), size('makeMs')]
  const { session } = context
  const square = await seededSquare(context, n, 'matmul')
  const arrivals = await createArrivals(context, words, steps)
  const dataset = { words, count: RUNS * steps, seed: services.seed, augmentations: AUGMENTATIONS }
  const maker = await openMaker(context, services, dataset, makeMs)

  let asked: { readonly step: number; readonly atNs: number; readonly come: number }[] = []
  let come: { readonly step: number; readonly atNs: number }[] = []
  let own: number[] = []
  let used: { readonly step: number; readonly atNs: number }[] = []
  let products = 0
  let pending: Promise<unknown>[] = []
  const uses: Encodable[] = arrivals.uses.map(({ encode }, step) => ({
    encode: (encoder: GPUCommandEncoder) => {
      encode(encoder)
      used.push({ step, atNs: session.now() })
    },
  }))
  const layers = createMatmul(session, square.dispatch, {
    label: 'matmul',
    rows: n,
    columns: n,
    c: square.c.gpu,
    flops: square.flops,
    bytes: square.bytes,
  })
  const matmul: Encodable = {
    encode: (encoder: GPUCommandEncoder, count = 1) => {
      checkTimes(count)
      layers.encode(encoder, count)
      products += count
    },
  }
  const checkStep = (step: unknown): number => {
    if (typeof step !== 'number' || !Number.isInteger(step) || step < 0 || step >= steps)
      throw new RangeError(`There are batches 0 to ${String(steps - 1)}.`)
    if (asked.length + own.length >= 2 * steps)
      throw new RangeError(`No more than ${String(2 * steps)} batches are made in a run.`)
    return step
  }

  const runOf = (repeat: number, run: number): WorkloadRun<Batches> => {
    const [seedA, seedB] = [seedFor(2 * run, services.seed), seedFor(2 * run + 1, services.seed)]
    const first = run * steps
    return {
      name: 'batches',
      repeat,
      facts: { n, times: steps, steps, seedA, seedB, first, ...dataset },
      input: {
        make: (step: unknown) => {
          const index = first + checkStep(step)
          own.push(index - first)
          return maker.make(index)
        },
        ask: (step: unknown) => {
          const own = checkStep(step)
          const index = first + own
          asked.push({ step: own, atNs: session.now(), come: come.length })
          const batch = maker.ask(index)
          // Before the program is told.
          pending.push(batch.then(() => come.push({ step: own, atNs: session.now() })).catch(() => undefined))
          return session.given(batch)
        },
        target: arrivals.target.gpu,
        uses,
        matmul,
        steps,
      } satisfies Given<typeof input>,
      before: async () => {
        // What a program has not awaited is made all the same, and not at the cost of the next run.
        await context.race(Promise.all(pending))
        pending = []
        maker.tookMs()
        await arrivals.clear()
        await square.reset(seedA, seedB)
        asked = []
        come = []
        own = []
        used = []
        products = 0
      },
      find: async () => {
        const words = await arrivals.read()
        const entries = await readAll(context, square.c.gpu, ENTRIES)
        return {
          askedSteps: asked.map(({ step }) => step),
          askedNs: asked.map(({ atNs }) => atNs),
          askedCome: asked.map(({ come }) => come),
          comeNs: come.map(({ atNs }) => atNs),
          comeSteps: come.map(({ step }) => step),
          ownSteps: own,
          usedSteps: used.map(({ step }) => step),
          usedNs: used.map(({ atNs }) => atNs),
          madeMs: maker.tookMs(),
          products,
          arrived: words.filter((_, at) => at % GATHER_WORDS < KEPT_WORDS),
          entries: new Float32Array(entries.buffer),
        }
      },
    }
  }
  return {
    plan,
    given: [square.dispatch, ...arrivals.uses.map(({ dispatch }) => dispatch).slice(0, 1)],
    runs: runsOf(runOf),
  }
}
