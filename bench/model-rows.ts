/** Recorded runs beside the same runs on a card of the model: step times and busy shares, as their reports have them. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelledRun } from '../cli/modelled-run'
import type { Card } from '../src/model/card'
import { decodeRun } from '../src/trace/codec'
import type { Metric, Report } from '../src/trace/report'

const STEP_TIMES = ['step-ms', 'time-ms', 'all-ms']
/** Their programs run on several threads. */
const RANKS = ['ranks', 'collectives']
const BUSY_SHARE = 'device-busy-ratio'
/** The model may be off by so much, or be within the recording's own interval: of a time relative, of a share in points of 1. */
const OFF_BY = { time: 0.15, share: 0.05 }

export interface ModelRow {
  /** Under the folder of recordings. */
  readonly file: string
  readonly variant: string
  readonly metric: string
  readonly unit: string
  readonly measured: number
  readonly modelled: number | null
  readonly isNear: boolean
  /** Work was sized from the machine's own times, and came out another there. */
  readonly isOtherWork: boolean
}

export const recordingsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.hdl.gz'))
    .toSorted()

async function reportIn(file: string): Promise<Report> {
  const decoded = await decodeRun(await readFile(file))
  if (!decoded.ok || !decoded.value.report) throw new Error(`${file} has no report.`)
  return decoded.value.report
}

/** Values as asked for, and what was found from them there: so that both did the same work. */
function valuesOf({ params, derived }: Report): Readonly<Record<string, unknown>> {
  const { matrixSize, batchBytes, steps } = derived
  return {
    ...params,
    repeats: 1,
    ...('matrixSize' in params && typeof matrixSize === 'number' ? { matrixSize } : {}),
    ...('batchMiB' in params && typeof batchBytes === 'number' ? { batchMiB: batchBytes / 2 ** 20 } : {}),
    ...('steps' in params && typeof steps === 'number' ? { steps } : {}),
  }
}

/** What experiments size and have no parameter for. */
const SIZED = ['matrixSize', 'productsAdded', 'matmulRows', 'matmulDispatches', 'words', 'batchBytes']
const SAME = 0.1
const differ = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && (typeof other !== 'number' || Math.abs(other / one - 1) > SAME)

function isNear({ unit, value, low, high }: Metric, modelled: number): boolean {
  if (value === null) return false
  if (low !== null && high !== null && modelled >= low && modelled <= high) return true
  return Math.abs(modelled - value) <= (unit === 'ratio' ? OFF_BY.share : OFF_BY.time * value)
}

/** @throws what the run throws on the model */
export async function rowsOf(folder: string, file: string, card: Card): Promise<readonly ModelRow[]> {
  const report = await reportIn(join(folder, file))
  const asked = { experiment: report.experiment, card, values: valuesOf(report) }
  const run = RANKS.includes(report.experiment) ? null : await modelledRun(asked)
  const differs = run !== null && SIZED.some((name) => differ(report.derived[name], run.derived[name]))
  return report.metrics.flatMap((metric) => {
    const { name, variant, unit, value } = metric
    if (value === null || !(STEP_TIMES.includes(name) || name === BUSY_SHARE)) return []
    const found = run?.metrics.find((one) => one.name === name && one.variant === variant)
    const modelled = found?.value ?? null
    const near = modelled !== null && isNear(metric, modelled)
    const isOtherWork = modelled !== null && differs
    return [{ file, variant, metric: name, unit, measured: value, modelled, isNear: near, isOtherWork }]
  })
}
