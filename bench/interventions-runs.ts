/** Variants of the lab's recorded runs as pairs: a repeat without a cause of idle time as predicted, and as the other variant took. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findGaps } from '../src/analysis/gaps'
import { idleTotals } from '../src/analysis/idle-totals'
import { RUN_ERROR } from '../src/analysis/run-gains'
import { experiments } from '../cli/catalog'
import { changesOf } from '../src/site/state/idle-time'
import { decodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'

const FOLDER = join(import.meta.dirname, '../public/recordings')

export interface RunPair {
  /** 'sync-stalls: every-step without host-waited, never'. */
  readonly name: string
  readonly outcome: string
  readonly nowMs: number
  readonly predictedMs: number
  readonly lowMs: number
  readonly highMs: number
  readonly measuredMs: number
  /** Predicted less measured, over the repeat as it is. */
  readonly error: number
  /** The same over what was predicted to be saved. */
  readonly ofSaved: number
}

export async function readRunPairs(): Promise<readonly RunPair[]> {
  const files = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.hdl.gz')).sort()
  const pairs: RunPair[] = []
  for (const file of files) {
    const id = file.replace('.hdl.gz', '')
    const meta = experiments.find((each) => each.id === id.split('/')[0])
    if (!meta?.remedies) continue
    const decoded = await decodeRun(await readFile(join(FOLDER, file)))
    if (!decoded.ok) throw new Error(decoded.error.message)
    const { trace, report } = decoded.value
    const placed = placeTrace(trace)
    const totals = idleTotals(trace, findGaps(placed))
    const { signal } = new AbortController()
    const found = await changesOf({ placed, report }, meta, totals, signal)
    for (const { variant, cause, now, predicted, trial } of found?.changes ?? []) {
      if (!trial) continue
      const nowMs = now.value ?? Number.NaN
      const predictedMs = predicted.value ?? Number.NaN
      const measuredMs = trial.tested.measured.value ?? Number.NaN
      pairs.push({
        name: `${id}: ${variant} without ${cause}, ${trial.remedy.by}`,
        outcome: trial.tested.outcome,
        nowMs,
        predictedMs,
        lowMs: predicted.low ?? Number.NaN,
        highMs: predicted.high ?? Number.NaN,
        measuredMs,
        error: (predictedMs - measuredMs) / nowMs,
        ofSaved: (predictedMs - measuredMs) / (nowMs - predictedMs),
      })
    }
  }
  return pairs
}

export function isAsFarOffAsSaid({ error, ofSaved }: RunPair): boolean {
  const { soonest, latest } = RUN_ERROR
  return (
    error < soonest.ofRepeat &&
    ofSaved < soonest.ofSaved &&
    -error < latest.ofRepeat &&
    -ofSaved < latest.ofSaved
  )
}
