/** Recorded runs beside the same runs on a card of the model: step times and busy shares, as their reports have them. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelledRun } from '../cli/modelled-run'
import type { Card } from '../src/model/card'
import { isNear } from '../src/model/near'
import { sameWork } from '../src/model/same-work'
import { decodeRun } from '../src/trace/codec'
import type { Report } from '../src/trace/report'

const STEP_TIMES = ['step-ms', 'time-ms', 'all-ms', 'collective-ms', 'message-us']
const SHARES = ['device-busy-ratio', 'bubble-ratio']

export interface ModelRow {
  /** Under the folder of recordings. */
  readonly file: string
  readonly variant: string
  readonly metric: string
  readonly unit: string
  readonly measured: number
  /** What stands beside it: of a model, or of a second recording. */
  readonly modelled: number | null
  readonly isNear: boolean
  /** Work was sized from the machine's own times, and came out another there. */
  readonly isOtherWork: boolean
}

export const recordingsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.hdl.gz') && !name.startsWith('libraries'))
    .toSorted()

async function reportIn(file: string): Promise<Report> {
  const decoded = await decodeRun(await readFile(file))
  if (!decoded.ok || !decoded.value.report) throw new Error(`${file} has no report.`)
  return decoded.value.report
}

/** What experiments size and have no parameter for. */
const SIZED = [
  'matrixSize',
  'productsAdded',
  'matmulRows',
  'matmulDispatches',
  'words',
  'batchBytes',
  'layerWidth',
]
const SAME = 0.1
const differ = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && (typeof other !== 'number' || Math.abs(other / one - 1) > SAME)

type Figures = Pick<Report, 'derived'> & {
  readonly metrics: readonly Pick<Report['metrics'][number], 'name' | 'variant' | 'value'>[]
}
/** The same run again: on a model, or recorded a second time. */
type Again = (report: Report, file: string) => Promise<Figures>

/** @throws what the run throws on the model */
export const onCard =
  (card: Card): Again =>
  async (report) =>
    await modelledRun({ experiment: report.experiment, card, values: sameWork(report, card) })

export const recordedIn =
  (folder: string): Again =>
  async (_, file) =>
    await reportIn(join(folder, file))

export async function rowsOf(folder: string, file: string, again: Again): Promise<readonly ModelRow[]> {
  const report = await reportIn(join(folder, file))
  const run = await again(report, file)
  const differs = SIZED.some((name) => differ(report.derived[name], run.derived[name]))
  return report.metrics.flatMap((metric) => {
    const { name, variant, unit, value } = metric
    if (value === null || !(STEP_TIMES.includes(name) || SHARES.includes(name))) return []
    const found = run.metrics.find((one) => one.name === name && one.variant === variant)
    const modelled = found?.value ?? null
    const near = modelled !== null && isNear(metric, modelled)
    const isOtherWork = modelled !== null && differs
    return [{ file, variant, metric: name, unit, measured: value, modelled, isNear: near, isOtherWork }]
  })
}
