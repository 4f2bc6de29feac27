/**
 * Pairs of training loops (interventions/), and how what is predicted of one compares with what was
 * measured.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { analyse } from '../src/analysis/diagnosis'
import { gainOf } from '../src/analysis/device-findings'
import { Replay } from '../src/analysis/replay/predict'
import { FLOAT32, parseRemoved } from '../src/analysis/replay/without'
import { openTraceFile } from '../src/trace/formats/import/open-trace'
import { placeTrace } from '../src/trace/place'
import { CommandError } from '../cli/terminal.mjs'

const FOLDER = join(import.meta.dirname, 'interventions')

/** Times of a step, over the rounds. */
export const spread = v.object({ median: v.number(), min: v.number(), max: v.number() })
const truthShape = v.object({
  schema: v.literal('interventions@1'),
  device: v.string(),
  torch: v.string(),
  cuda: v.string(),
  date: v.string(),
  loops: v.array(
    v.object({
      id: v.string(),
      cause: v.string(),
      first: v.nullable(v.string()),
      partial: v.optional(v.boolean(), false),
      profile: v.string(),
      found: spread,
      changed: spread,
      again: v.object({ found: v.number(), changed: v.number() }),
    }),
  ),
})
type Loop = v.InferOutput<typeof truthShape>['loops'][number]

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(FOLDER, file), 'utf8'))
export const readTruth = async () => v.parse(truthShape, await readJson('truth.json'))
const beforeShape = v.object({ shares: v.record(v.string(), v.number()) })
/**
 * The analysis of 05d101ed was tried on some of the loops. By loop, this is the share of the step
 * that it gave to the cause.
 */
export const readBefore = async () => v.parse(beforeShape, await readJson('before.json')).shares

export type Scored = Awaited<ReturnType<typeof scoreLoop>>

const GUILTY = 1.02

export async function scoreLoop(loop: Loop) {
  const opened = await openTraceFile(await readFile(join(FOLDER, 'profiles', loop.profile)))
  if (!opened.ok) throw new CommandError(`${loop.profile}: ${opened.error.message}`)
  const foundUs = loop.found.median
  const changedUs = loop.changed.median
  const { reasons, devices, diagnoses } = analyse(placeTrace(opened.value.trace), foundUs / 1e3)
  const removed = parseRemoved(loop.cause)
  const replayed = reasons?.replayOf(devices[0]?.id ?? '')
  if (!removed || !replayed || typeof replayed === 'string')
    throw new CommandError(`${loop.id}: ${typeof replayed === 'string' ? replayed : 'not replayed'}`)
  const { stepUs, low, high } = gainOf(replayed, [removed])
  const errorOf = (replay: Replay) =>
    Math.abs(replay.without([removed]).stepNs / replay.replayedNs - changedUs / foundUs)
  const own = new Replay(replayed.read)
  const [diagnosis] = diagnoses
  const [finding] = diagnosis?.findings ?? []
  // TF32 is no finding: only where its gain was measured does the sentence before them count.
  const isTf32First = removed.cause === FLOAT32.cause && diagnosis?.float32?.isFirst === true
  const first = isTf32First ? FLOAT32.cause : (finding?.cause ?? null)
  const isGuilty = foundUs / changedUs >= GUILTY
  const causes = [removed.cause, ...(loop.first === null ? [] : [loop.first.split(':')[0]])]
  // What recurs and no record names is called the host's code: a sleep looks the same.
  if (causes.includes('unknown') && finding?.what === '') causes.push('host-code')
  return {
    loop,
    predictedUs: stepUs,
    lowUs: low,
    highUs: high,
    /** |predicted − measured|, of the step as found. */
    error: Math.abs(stepUs - changedUs) / foundUs,
    /** The same from the profile alone: its gain, without the step timed without a profiler. */
    aloneError: errorOf(own),
    /** The same with that step estimated. */
    estimatedError: errorOf(new Replay(replayed.read, own.estimatedNs)),
    /** The estimated step is so far off, as a share of the step as found. */
    estimateError: Math.abs(own.estimatedNs / 1e3 - foundUs) / foundUs,
    noGainError: Math.abs(foundUs - changedUs) / foundUs,
    /** The same of the second measurement, as if it predicted the first. */
    againError: Math.abs(loop.again.changed / loop.again.found - changedUs / foundUs),
    /** All rounds without the cause are shorter than the bound. One that is not there has none. */
    isBeaten: loop.changed.max < low && replayed.replay.occurs([removed]),
    /** The first cause that is named; null: none. */
    first,
    /**
     * The changed cause comes first where it gained 2 % or more, or what dominates by design does;
     * an innocent one doesn't.
     */
    isFirstRight: isGuilty ? causes.includes(first ?? '') : first !== removed.cause,
  }
}

/**
 * Causes that no replay of one file removes: Gloo runs on the host, and kernels are taken as they
 * are.
 */
const NOT_REPLAYED = new Set(['late-rank', 'collectives', 'slow-kernels'])
export const isReplayed = ({ cause, partial }: Loop): boolean =>
  !partial && !NOT_REPLAYED.has(cause.split(':')[0] ?? '')
