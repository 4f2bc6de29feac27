/** What is said aloud of a run as it goes: that it began, the gaps it has found, that it is done. Pure; times in ms. */
import { formatCount, type Gap } from '../../../timeline'

export interface RunGlance {
  readonly live: boolean
  readonly spans: number
  readonly gaps: readonly Gap[]
}

export interface Said {
  readonly live: boolean
  readonly gaps: number
  readonly atMs: number
}

/** Begun and done are said as soon as this allows, counts of gaps less often: they are news, not a clock. */
export const SHORTEST_MS = 1000
const GAPS_EVERY_MS = 4000

export interface Announcement {
  readonly text: string
  readonly said: Said
}

const counted = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** Null: nothing to say, or not yet. `before` is what was said last. */
export function announce(before: Said, now: RunGlance, atMs: number): Announcement | null {
  const since = atMs - before.atMs
  if (since < SHORTEST_MS) return null
  const gaps = now.gaps.length
  const say = (text: string): Announcement => ({ text, said: { live: now.live, gaps, atMs } })
  if (now.live && !before.live) return say('The run has begun.')
  if (before.live && !now.live) {
    const found = gaps === 0 ? 'no gaps on the device' : `${counted(gaps, 'gap')} on the device`
    return say(`The run is done: ${counted(now.spans, 'span')}, ${found}.`)
  }
  if (now.live && gaps > before.gaps && since >= GAPS_EVERY_MS)
    return say(`${counted(gaps, 'gap')} on the device so far.`)
  return null
}
