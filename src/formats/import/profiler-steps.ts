/** `ProfilerStep#N` ranges: which step of the profile a time of that process lies in. */
import { upperBound } from '../../base/search'
import { USER_RANGE } from './categories'
import type { EventFile } from './event-reader'
import type { TimeBase } from './time-base'

const STEP = /^ProfilerStep\s*#\s*(\d{1,9})$/

interface Steps {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly numbers: readonly number[]
}

export class ProfilerSteps {
  readonly #byPid = new Map<number, Steps>()
  readonly #rows = new Set<number>()

  constructor({ events, texts }: EventFile, base: TimeBase, groups: readonly number[]) {
    const { columns, length } = events
    const found = new Map<number, { startNs: number; endNs: number; step: number }[]>()
    const stepOfName = new Map<number, number>()
    for (let row = 0; row < length; row += 1) {
      if (groups[columns.category[row] ?? 0] !== USER_RANGE) continue
      const name = columns.name[row] ?? 0
      let step = stepOfName.get(name)
      if (step === undefined) {
        step = Number(STEP.exec(texts.text(name))?.[1] ?? -1)
        stepOfName.set(name, step)
      }
      const startNs = base.nsOf(row)
      const endNs = startNs + (columns.durationNs[row] ?? Number.NaN)
      if (step < 0 || !(endNs >= startNs)) continue
      this.#rows.add(row)
      const pid = columns.pid[row] ?? 0
      const list = found.get(pid)
      if (list) list.push({ startNs, endNs, step })
      else found.set(pid, [{ startNs, endNs, step }])
    }
    for (const [pid, list] of found) {
      list.sort((a, b) => a.startNs - b.startNs)
      this.#byPid.set(pid, {
        starts: Float64Array.from(list, ({ startNs }) => startNs),
        ends: Float64Array.from(list, ({ endNs }) => endNs),
        numbers: list.map(({ step }) => step),
      })
    }
  }

  isStep(row: number): boolean {
    return this.#rows.has(row)
  }

  /** Undefined outside every step. */
  at(pid: number, timeNs: number): number | undefined {
    const steps = this.#byPid.get(pid)
    if (!steps) return undefined
    const index = upperBound(steps.starts, timeNs) - 1
    return index >= 0 && timeNs < (steps.ends[index] ?? -Infinity) ? steps.numbers[index] : undefined
  }
}
