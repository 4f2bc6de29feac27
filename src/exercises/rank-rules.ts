/** Checks that programs on several ranks share. */
import type { Trace } from '../trace/schema'
import type { Ask } from './rules'
import type { Found, RunOf } from './types'
import { atLines, hostSpansOf } from './trace-of-run'

type RankFound = Found & {
  /**
   * Waits of ranks that hang: rank, 1 for send and 0 for recv, the other rank; again for the next.
   */
  readonly waits: readonly number[]
}

/**
 * Finds the line where calls of this name never returned: the longest of all such, since a hang is
 * found late. Ranks share a program, and a host's lane.
 */
function stuckAt(trace: Trace, run: RunOf<RankFound>, role: 'send' | 'recv', name: string, count: number) {
  const calls = hostSpansOf(trace, run, [role]).filter((call) => call.name === name)
  const longestFirst = calls.toSorted((one, other) => other.endNs - other.startNs - (one.endNs - one.startNs))
  return atLines(longestFirst.slice(0, count))
}

/** No rank waits for ever. `who`: 'Both ranks'. */
export const goesOn = <F extends RankFound>(
  everyRun: (wrong: (run: RunOf<F>, trace: Trace | null) => string | null, right: () => string) => Ask,
  who: string,
): Ask =>
  everyRun(
    (run, trace) => {
      const { waits } = run.found
      if (waits.length === 0) return null
      const all = Array.from({ length: waits.length / 3 }, (_, at) => {
        const [from = 0, isSend = 0, to = 0] = waits.slice(3 * at)
        const role = isSend === 1 ? ('send' as const) : ('recv' as const)
        return { from, to, role, name: `${role} ${isSend === 1 ? 'to' : 'from'} ${String(to)}` }
      })
      const calls = all.map(({ from, to, role, name }) => {
        const alike = all.filter((each) => each.name === name).length
        const at = trace ? stuckAt(trace, run, role, name, alike) : ''
        return `rank ${String(from)} waited in ${role}() ${role === 'send' ? 'to' : 'from'} rank ${String(to)}${at}`
      })
      return `The ranks hang: ${calls.join(', and ')}.`
    },
    () => `${who} ended in every run.`,
  )
