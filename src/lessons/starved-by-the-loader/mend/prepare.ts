/**
 * Batches that take longer to make than to compute on, by the loop itself or by two workers. When
 * each was asked for is noted by the lab.
 */
import { wordsFor } from '../../../experiments/starved-by-the-loader/sizes'
import { readAll, type RunContext } from '../../../gpu'
import { createArrivals } from '../../../lab/arrivals'
import { createBatchMaker, timeMaking, type BatchOptions } from '../../../lab/batch-maker'
import { openMakers } from '../../../lab/loader'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seededSquare, sizeFor } from '../../../exercises/worker/square'
import {
  runsOf,
  type ExerciseServices,
  type ModelledHost,
  type PrepareExercise,
} from '../../../exercises/workload'
import type { Batches } from './checks'

const WORKERS = 2
const STEPS = 16
const LEAST_STEPS = 6
/**
 * The unchanged program takes about so long: with ends reported every 100 ms that is fewer steps.
 */
const START_MS = 1500
const COMPUTE_MS = 4
/**
 * Making a batch takes so many times as long as its step: one worker is too slow for that, two are
 * quick enough.
 */
const MAKING = 1.5
const AUGMENTATIONS = 15
const TRIAL_WORDS = 2 ** 18
/** Words that JavaScript computes on a modelled machine, whose time that does not take. */
const MODELLED_WORDS = 2 ** 14
/** Entries of C that are compared, from its first. */
const ENTRIES = 8

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
 * A mend's realm is terminated when it has answered, and its workers with it. Ended a moment
 * before, they leave its thread behind for good, with all its memory: Chromium 156 did so for 4 of
 * 15 (a page that does nothing else).
 */
const REALM = { own: <T>(worker: T): T => worker }

/** Asks worker i for every second batch; it makes one after the other. */
type AskMaker = (index: number) => Promise<Float32Array>

async function openWorkers(context: RunContext, dataset: BatchOptions): Promise<AskMaker> {
  interface Waiting {
    readonly resolve: (batch: Float32Array) => void
    readonly reject: (why: Error) => void
  }
  const waiting = new Map<number, Waiting[]>()
  const heard = {
    made: (index: number, memory: ArrayBuffer) =>
      waiting.get(index)?.shift()?.resolve(new Float32Array(memory)),
    failed: (why: Error) => {
      for (const each of [...waiting.values()].flat()) each.reject(why)
    },
  }
  const opened = await openMakers(context, dataset, WORKERS, heard, REALM)
  if (!opened.ok) throw new Error(opened.error)
  return (index) =>
    new Promise((resolve, reject) => {
      waiting.set(index, [...(waiting.get(index) ?? []), { resolve, reject }])
      opened.value(index % WORKERS, index, new ArrayBuffer(4 * dataset.words))
    })
}

/** The workers of a modelled machine. */
function modelledWorkers(
  host: ModelledHost,
  newBatch: (index: number) => Float32Array,
  makeMs: number,
): AskMaker {
  const free = Array.from({ length: WORKERS }, () => Promise.resolve())
  return async (index) => {
    const batch = newBatch(index)
    await (free[index % WORKERS] = (free[index % WORKERS] ?? Promise.resolve()).then(() =>
      host.beside(makeMs),
    ))
    return batch
  }
}

export const prepare: PrepareExercise<Batches> = async (context, services) => {
  const plan = services.plan ?? (await measurePlan(context, services))
  const size = (name: string): number => Number(plan[name as keyof typeof plan])
  const [n, steps, words, makeMs] = [size('n'), size('steps'), size('words'), size('makeMs')]
  const { session } = context
  const { modelledHost } = services
  const square = await seededSquare(context, n, services.seed, 'matmul')
  const arrivals = await createArrivals(context, words, steps)
  const dataset = { words, count: steps, seed: services.seed, augmentations: [AUGMENTATIONS] }
  const maker = createBatchMaker(dataset)
  const newBatch = (index: number): Float32Array => {
    const batch = new Float32Array(words)
    maker.make(index, batch)
    return batch
  }
  const askWorker = modelledHost
    ? modelledWorkers(modelledHost, newBatch, makeMs)
    : await openWorkers(context, dataset)

  const uses = noteEncodes(session)
  const products = noteEncodes(session)
  let made: number[] = []
  let asked: number[] = []
  let came: number[] = []
  let pending: Promise<unknown>[] = []
  const checkStep = (step: unknown): number => {
    if (typeof step !== 'number' || !Number.isInteger(step) || step < 0 || step >= steps)
      throw new RangeError(`There are batches 0 to ${String(steps - 1)}.`)
    if (made.reduce((sum, count) => sum + count, 0) >= 2 * steps)
      throw new RangeError(`No more than ${String(2 * steps)} batches are made in a run.`)
    made[step] = (made[step] ?? 0) + 1
    return step
  }
  return {
    plan,
    given: [square.dispatch, ...arrivals.uses.map(({ dispatch }) => dispatch).slice(0, 1)],
    runs: runsOf({
      name: 'batches',
      input: {
        make: (given: unknown) => {
          const step = checkStep(given)
          const start = session.now()
          modelledHost?.busy(makeMs)
          const batch = newBatch(step)
          session.hostSpan('host-work', 'compute', `make batch ${String(step)}`, start, session.now(), {
            bytes: batch.byteLength,
          })
          return batch
        },
        ask: (given: unknown) => {
          const step = checkStep(given)
          asked[step] = Math.min(asked[step] ?? Infinity, session.now())
          const batch = askWorker(step)
          // The lab notes it before the program is told.
          const noted = batch.then(() => (came[step] = Math.min(came[step] ?? Infinity, session.now())))
          pending.push(noted.catch(() => undefined))
          return session.given(batch)
        },
        target: arrivals.target.gpu,
        uses: arrivals.uses.map((use, step) => uses.lend(use, step)),
        matmul: products.lend(square.matmul),
        steps,
      },
      before: async () => {
        // Batches that a program has not awaited are made all the same, and not at the cost of the
        // next run.
        await context.race(Promise.all(pending))
        pending = []
        await arrivals.clear()
        await square.clear()
        const never = Array<number>(steps).fill(Infinity)
        ;[asked, came, made] = [[...never], [...never], Array<number>(steps).fill(0)]
        uses.clear()
        products.clear()
      },
      find: async () => {
        const { encoded, encodedNs } = uses.found()
        return {
          steps,
          made,
          askedNs: asked,
          cameNs: came,
          usedNs: asked.map((_, step) => encodedNs[encoded.indexOf(step)] ?? Infinity),
          products: products.found().dispatches,
          arrived: await arrivals.read(),
          entries: new Float32Array((await readAll(context, square.c.gpu, ENTRIES)).buffer),
        }
      },
    }),
  }
}
