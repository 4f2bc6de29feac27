/** What checks of programs on several ranks share. */
import type { Ask } from './rules'
import type { RunFacts, RunOf } from './run-facts'

export type RankFacts = RunFacts & {
  readonly found: {
    /** Of ranks that hang: rank, 1 for send and 0 for recv, the other rank; again for the next. */
    readonly waits: readonly number[]
  }
}

/** No rank waits for ever. `who`: 'Both ranks'. */
export const goesOn = <T extends RankFacts>(
  everyRun: (wrong: (run: RunOf<T>) => string | null, right: () => string) => Ask,
  who: string,
): Ask =>
  everyRun(
    ({ found: { waits } }) => {
      if (waits.length === 0) return null
      const calls = Array.from({ length: waits.length / 3 }, (_, at) => {
        const [from = 0, isSend = 0, to = 0] = waits.slice(3 * at)
        return `rank ${String(from)} waited in ${isSend === 1 ? 'send() to' : 'recv() from'} rank ${String(to)}`
      })
      return `The ranks hang: ${calls.join(', and ')}.`
    },
    () => `${who} ended in every run.`,
  )

/**
 * The first rank that did something before what it needs had come to it over the wire: ranks of a mend share a realm, and others share nothing.
 * Null: none did.
 *
 * @param notes in threes: the rank, how much it had done with this, and how many numbers had come to it by then. None in old recordings
 * @param needs how many numbers the last of so much needs
 */
export function rankTooSoon(
  notes: readonly number[] | undefined,
  needs: (done: number, rank: number) => number,
): number | null {
  for (let at = 0; at < (notes?.length ?? 0); at += 3) {
    const [rank = 0, done = 0, come = 0] = notes?.slice(at) ?? []
    if (!(come >= needs(done, rank))) return rank
  }
  return null
}

/** The first place at which numbers are not what they should be; -1: none. What is no number is wrong. */
export const firstWrong = (got: ArrayLike<number>, expected: readonly number[]): number =>
  expected.findIndex((value, index) => !(got[index] === value))
