/**
 * Pairs of WebGPU pages (interventions/pages/): what the replay of a recording predicts beside what
 * the change gained.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { CommandError } from '../cli/terminal.mjs'
import { analyse } from '../src/analysis/diagnosis'
import { gainOf } from '../src/analysis/device-findings'
import type { Cause } from '../src/analysis/replay/causes'
import { COSTLY, SCRIPT } from '../src/analysis/replay/read-page'
import { adapterNameOf } from '../src/trace/schema'
import { decodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import { spread } from './interventions-score'

export const PAGES = join(import.meta.dirname, 'interventions/pages')
export const RECORDED = 'recorded'
export const TRUTH = 'truth.json'

/** A pair's programs/ID.js has both variants. The change removes these; code: null: of any. */
interface Pair {
  readonly id: string
  readonly removed: readonly { readonly cause: Cause; readonly code: string | null }[]
}
const code = (name: string) => ({ cause: 'host-code', code: name }) as const
const waits = (cause: Cause) => ({ cause, code: null })

export const PAIRS: readonly Pair[] = [
  { id: 'read-each-step', removed: [waits('read-back')] },
  { id: 'read-behind-long-work', removed: [waits('read-back')] },
  { id: 'wait-each-step', removed: [waits('synchronize')] },
  { id: 'submit-each-pass', removed: [waits('dispatch')] },
  { id: 'second-submit', removed: [waits('dispatch')] },
  { id: 'script-in-loop', removed: [code(SCRIPT)] },
  { id: 'script-in-frames', removed: [code(SCRIPT)] },
  { id: 'canvas-each-step', removed: [code(COSTLY.image)] },
  { id: 'write-all', removed: [code(COSTLY.write)] },
  { id: 'mapped-each-step', removed: [code(COSTLY.create), code(COSTLY.fill)] },
  { id: 'pipeline-each-step', removed: [code(COSTLY.compile)] },
]

const truthShape = v.object({
  schema: v.literal('page-interventions@1'),
  date: v.string(),
  pairs: v.array(v.object({ id: v.string(), found: spread, changed: spread })),
})
export type PageTruth = v.InferOutput<typeof truthShape>

/** Least gain that the analysis names of a page. */
const NAMED = 1.05

export async function scorePages(folder = PAGES) {
  const { date, pairs } = v.parse(truthShape, JSON.parse(await readFile(join(folder, TRUTH), 'utf8')))
  return { date, pages: await Promise.all(pairs.map((pair) => scorePage(folder, pair))) }
}

async function scorePage(folder: string, { id, found, changed }: PageTruth['pairs'][number]) {
  const pair = PAIRS.find((each) => each.id === id)
  const run = await decodeRun(await readFile(join(folder, RECORDED, `${id}.hdl.gz`)))
  if (!pair || !run.ok)
    throw new CommandError(`${id}: ${run.ok ? 'there is no such pair' : run.error.message}`)
  const { reasons, devices, diagnoses } = analyse(placeTrace(run.value.trace))
  const replayed = reasons?.replayOf(devices[0]?.id ?? '') ?? 'It is not replayed.'
  const [first] = diagnoses[0]?.findings ?? []
  /** The median as found, as the replay shortens it; null: it can't be replayed. */
  let predicted: { readonly ms: number; readonly lowMs: number; readonly highMs: number } | null = null
  if (typeof replayed !== 'string') {
    const removed = pair.removed.map((each) => ({ ...each, isStrict: true }))
    const { stepUs, low, high } = gainOf(replayed, removed)
    const msOf = (us: number) => (us / (replayed.replay.replayedNs / 1e3)) * found.median
    predicted = { ms: msOf(stepUs), lowMs: msOf(low), highMs: msOf(high) }
  }
  const isNamed = pair.removed.some((each) => each.cause === first?.cause && (each.code ?? '') === first.what)
  return {
    id,
    adapter: adapterNameOf(run.value.trace.info),
    foundMs: found.median,
    changedMs: changed.median,
    predicted,
    problem: typeof replayed === 'string' ? replayed : '',
    /** |predicted − measured|, of the step as found; without a prediction nothing is gained. */
    error: Math.abs((predicted?.ms ?? found.median) - changed.median) / found.median,
    noGainError: Math.abs(found.median - changed.median) / found.median,
    /** All rounds with the change are shorter than the bound. */
    isBeaten: predicted !== null && changed.max < predicted.lowMs,
    /** The first finding; '' where there is none. */
    first: first ? `${first.cause}${first.what === '' ? '' : `: ${first.what}`}` : '',
    /**
     * The finding is right if it comes first and the change gained 5 % or more, or if it is not
     * named and the change gained less.
     */
    isFirstRight: found.median / changed.median >= NAMED === isNamed,
  }
}
