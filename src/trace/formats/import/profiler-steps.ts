/**
 * Which step of the profile a time of a process lies in: by its `ProfilerStep#N` ranges, else by
 * the program's own that are numbered like steps ('step 12', 'train_iter_3'), one after the other
 * on one thread with numbers that rise.
 */
import { addTo, madeOnce } from '../../../base/lists'
import { upperBound } from '../../../base/search'
import { OPERATOR, USER_RANGE, type EventClass } from '../../vendors'
import type { EventFile } from './event-file'

const STEP = /^ProfilerStep\s*#\s*(\d{1,9})$/
const OWN_STEP = /^(.*(?:step|iter(?:ation)?|batch)[\s_#:=-]*)(\d{1,9})$/i
/** Fewer are no repetition. */
const LEAST_OWN_STEPS = 2

interface Range {
  readonly row: number
  readonly startNs: number
  readonly endNs: number
  readonly step: number
}

/** The steps of a file. `stepOf`: by row, where arguments say it. */
export function profilerSteps(file: EventFile, stepOf: ReadonlyMap<number, number>) {
  let marked = rangesOf(file, STEP, USER_RANGE, stepOf)
  // Kineto of 2021 has its own marks among the operators.
  if (marked.size === 0) marked = rangesOf(file, STEP, OPERATOR)
  const rows = new Set<number>()
  const byPid = new Map(
    Array.from(marked.size > 0 ? marked : rangesOf(file, OWN_STEP, USER_RANGE), ([pid, families]) => {
      const ranges = marked.size > 0 ? [...families.values()].flat() : longestRun([...families.values()])
      ranges.sort((a, b) => a.startNs - b.startNs)
      // A step lasts to its end or to the next one's start; what is between two has none.
      const edges = ranges.flatMap(({ row, startNs, endNs, step }, at) => {
        rows.add(row)
        const hasGap = endNs < (ranges[at + 1]?.startNs ?? Infinity)
        return [{ ns: startNs, step }, ...(hasGap ? [{ ns: endNs, step: undefined }] : [])]
      })
      return [pid, { edges, starts: Float64Array.from(edges, ({ ns }) => ns) }]
    }),
  )
  // Most rows are in the same step as the row before.
  let [lastPid, fromNs, toNs, lastStep]: [number, number, number, number?] = [0, 0, 0]
  const moveTo = (pid: number, timeNs: number): void => {
    const steps = byPid.get(pid)
    const next = steps ? upperBound(steps.starts, timeNs) : 0
    const edge = steps?.edges[next - 1]
    lastPid = pid
    lastStep = edge?.step
    fromNs = edge?.ns ?? -Infinity
    toNs = steps?.starts[next] ?? Infinity
  }
  return {
    /** Of events that are a step. */
    rows: rows as ReadonlySet<number>,
    /** Undefined outside every step. */
    at: (pid: number, timeNs: number): number | undefined => {
      if (pid !== lastPid || !(timeNs >= fromNs && timeNs < toNs)) moveTo(pid, timeNs)
      return lastStep
    },
  }
}

/**
 * By process, by thread and what the name holds beside its number; the number is the last group of
 * `pattern`.
 */
function rangesOf(
  { events, texts, pidOf, tidOf }: EventFile,
  pattern: RegExp,
  group: EventClass,
  stepOf: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, ReadonlyMap<string, Range[]>> {
  const { columns } = events
  const found = new Map<number, Map<string, Range[]>>()
  const ofName = texts.asked((name) => {
    const match = pattern.exec(name)
    return match && { family: match.length > 2 ? (match[1] ?? '') : '', step: Number(match.at(-1)) }
  })
  for (const row of events.rowsWith('group', group)) {
    const step = stepOf.get(row)
    const said = step === undefined ? ofName(columns.name[row] ?? 0) : { family: '', step }
    const startNs = events.nsOf(row)
    const endNs = startNs + (columns.durationNs[row] ?? Number.NaN)
    if (!said || !(endNs >= startNs)) continue
    const pid = pidOf(row)
    const families = madeOnce(found, pid, () => new Map<string, Range[]>())
    addTo(families, `${String(tidOf(row))} ${said.family}`, { row, startNs, endNs, step: said.step })
  }
  return found
}

/**
 * The family that covers most time, of those that go on from one number to a higher one; none where
 * no family does.
 */
function longestRun(families: readonly Range[][]): Range[] {
  const timeOf = (ranges: readonly Range[]) =>
    ranges.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
  const runs = families.filter((ranges) => {
    ranges.sort((a, b) => a.startNs - b.startNs)
    return (
      ranges.length >= LEAST_OWN_STEPS &&
      ranges.every(({ startNs, step }, index) => {
        const before = ranges[index - 1]
        return !before || (step > before.step && startNs >= before.endNs)
      })
    )
  })
  return runs.reduce<Range[]>((most, each) => (timeOf(each) > timeOf(most) ? each : most), [])
}
