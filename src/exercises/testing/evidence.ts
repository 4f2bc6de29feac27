/** Evidence of gradings, made by hand. */
import { sampleReport } from '../../trace/testing/sample-report'
import type { ExerciseRules } from '../exercise'
import type { Check, Evidence, ProgramReport, ProgramRun } from '../types'

const MS = 1e6

interface RunParts extends Partial<Omit<ProgramRun, 'startNs' | 'endNs'>> {
  readonly ms?: number
}

/** From the trace's time 0. */
export const programRun = ({ ms = 100, ...parts }: RunParts): ProgramRun => ({
  name: 'clean',
  repeat: 0,
  output: undefined,
  found: {},
  startNs: 0,
  endNs: ms * MS,
  unfinished: 0,
  ...parts,
})

export const programReport = (
  runs: readonly ProgramRun[],
  parts: Partial<ProgramReport> = {},
): ProgramReport => ({
  runs,
  stop: null,
  trace: null,
  plan: {},
  isSoftware: false,
  hasTimestamps: true,
  log: [],
  ...parts,
})

export const evidenceWith = ({
  yours,
  start = null,
  reference = null,
}: Pick<Evidence, 'yours'> & Partial<Evidence>): Evidence => ({
  yours,
  start,
  reference,
  environment: sampleReport.environment,
})

/** Evidence of these runs beside a start of 200 ms and a reference of 100 ms. */
export function evidenceBeside(yours: ProgramReport, name: string): Evidence {
  const runs = yours.runs.filter((run) => run.name === name)
  const of = (ms: number) => programReport(runs.map((run) => ({ ...run, startNs: 0, endNs: ms * MS })))
  return evidenceWith({ yours, start: of(200), reference: of(100) })
}

/** What the check of this id says. */
export function said(
  { checks }: Pick<ExerciseRules, 'checks'>,
  id: string,
  evidence: Evidence,
): readonly [outcome: Check['outcome'] | undefined, text: string] {
  const check = checks(evidence).find((each) => each.id === id)
  return [check?.outcome, check?.text ?? '']
}
