/**
 * Variants of the lab's recorded runs as pairs: a repeat without a cause of idle time as predicted,
 * and as the other variant took.
 */
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

type RunPair = Awaited<ReturnType<typeof readRunPairs>>[number]

export async function readRunPairs() {
  const files = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.hdl.gz')).sort()
  const pairs = files.map(async (file) => {
    const id = file.replace('.hdl.gz', '')
    const meta = experiments.find((each) => each.id === id.split('/')[0])
    if (!meta?.remedies) return []
    const decoded = await decodeRun(await readFile(join(FOLDER, file)))
    if (!decoded.ok) throw new Error(decoded.error.message)
    const { trace, report } = decoded.value
    const placed = placeTrace(trace)
    const totals = idleTotals(trace, findGaps(placed))
    const found = await changesOf({ placed, report }, meta, totals, new AbortController().signal)
    return (found?.changes ?? []).flatMap(({ variant, cause, now, predicted, trial }) => {
      if (!trial) return []
      const msOf = (value: number | null) => value ?? Number.NaN
      const [nowMs, predictedMs] = [msOf(now.value), msOf(predicted.value)]
      const measuredMs = msOf(trial.tested.measured.value)
      return [
        {
          /** 'sync-stalls: every-step without host-waited, never'. */
          name: `${id}: ${variant} without ${cause}, ${trial.remedy.by}`,
          outcome: trial.tested.outcome,
          nowMs,
          predictedMs,
          lowMs: msOf(predicted.low),
          highMs: msOf(predicted.high),
          measuredMs,
          /** Predicted less measured, over the repeat as it is. */
          error: (predictedMs - measuredMs) / nowMs,
          /** The same over what was predicted to be saved. */
          ofSaved: (predictedMs - measuredMs) / (nowMs - predictedMs),
        },
      ]
    })
  })
  return (await Promise.all(pairs)).flat()
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
