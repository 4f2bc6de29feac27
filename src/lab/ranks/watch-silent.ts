/**
 * Asks ranks from time to time whether they are there. A thread that awaits anything answers within
 * a turn of its event loop; one that loops in JavaScript never does, and waits for nobody, so that
 * no wait-for graph shows it.
 */

/** Between two askings. */
const EVERY_MS = 2000
/**
 * More than any sum over a buffer takes: of 64 MiB on eight ranks of one slow core some seconds.
 */
const SILENT_MS = 20_000
/**
 * A timer may be late itself, as in a tab that is hidden: so many askings at least must have had no
 * answer.
 */
const LEAST_ASKED = 5

/** Ends by itself where one is silent. `found`: the first rank that is, and for how long, ms. */
export function watchSilent(
  size: number,
  ask: (rank: number) => void,
  found: (rank: number, silentMs: number) => void,
) {
  const ranks = Array.from({ length: size }, () => ({ heardMs: performance.now(), asked: 0 }))
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [rank, state] of ranks.entries()) {
      const silentMs = now - state.heardMs
      if (silentMs >= SILENT_MS && state.asked >= LEAST_ASKED) {
        clearInterval(timer)
        found(rank, silentMs)
        return
      }
      state.asked += 1
      ask(rank)
    }
  }, EVERY_MS)
  return {
    heard: (rank: number): void => {
      const state = ranks[rank]
      if (state) Object.assign(state, { heardMs: performance.now(), asked: 0 })
    },
    end: (): void => clearInterval(timer),
  }
}
