/** What a machine's own card is fitted to, from reports that were recorded on it. */
import { experiments } from '../../experiments/catalog'
import { recordedRuns } from '../../lessons/testing/recorded-runs'
import type { Report } from '../../trace/report'
import type { ownCard } from '../fit'

/** Of the lesson's own run, and of its steps. */
const reportsOn = (name: string, experiment: string): readonly Report[] => [
  ...(recordedRuns(experiment)
    .find(([each]) => each === name)?.[1]
    ?.values() ?? []),
]

/** @throws where nothing was recorded there of what is measured for a card */
export function measuredOn(name: string): Parameters<typeof ownCard>[0] {
  const read = experiments.flatMap(({ id, calibrates }) =>
    calibrates ? reportsOn(name, id).map((report) => ({ report, calibrates })) : [],
  )
  const [first] = read
  if (!first) throw new Error(`Nothing was recorded on ${name}.`)
  const launches = read.flatMap(({ report, calibrates }) =>
    calibrates.of === 'launches' && report.params['stamps'] === 'none'
      ? (calibrates.read(report.metrics) ?? [])
      : [],
  )
  const waits = read.flatMap(({ report, calibrates }) =>
    calibrates.of === 'waits' ? calibrates.read(report.metrics) : [],
  )
  return { environment: first.report.environment, launches: launches[0] ?? null, waits }
}
