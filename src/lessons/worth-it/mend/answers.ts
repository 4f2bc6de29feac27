/** What a learner's function answered, and how that is said. */
import { gradedRuns, percent } from '../../../exercises/checks'
import type { ProgramReport } from '../../../exercises/types'
import { meanRegret, PLACES, timedSizesOf, type Place } from './regret'

export const isPlace = (value: unknown): value is Place => PLACES.some((place) => place === value)

export const answersOf = (report: ProgramReport): readonly unknown[] => {
  const [run] = gradedRuns(report, 'asked')
  return Array.isArray(run?.output) ? (run.output as readonly unknown[]) : []
}

export const choicesOf = (report: ProgramReport): readonly Place[] => answersOf(report).filter(isPlace)

/** Null where the function did not answer for each size. */
export function ownRegret(report: ProgramReport): number | null {
  const sizes = timedSizesOf(report.plan)
  const choices = choicesOf(report)
  return sizes.length > 0 && choices.length === sizes.length
    ? meanRegret(sizes, (index) => choices[index] ?? 'cpu')
    : null
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`
  if (value === undefined) return 'nothing'
  // A null and a number are written as JSON writes them.
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

/** More than twice the time reads better as a factor. */
export const longer = (regret: number): string =>
  regret <= 1
    ? `${percent(regret)} more time than the better ones`
    : `${(1 + regret).toFixed(regret < 9 ? 1 : 0)} times the time of the better ones`
