/** What was recorded of a lesson's loop in PyTorch with each of two or three ways to write it (vite/recorded-choices.ts), loaded when it is shown. */
import { loadOnce } from '../../base/load-once'
import type { Profile } from '../../state/profile'
import type { Story, StoryStrip } from '../../state/story'
import { formatShare } from '../format'
import type { HighlightedLines } from '../source/lines'

export interface Choice {
  readonly label: string
  /** What stands in the open place; none: nothing. */
  readonly lines: HighlightedLines
  /** In the address of a trace. */
  readonly recording: string
  /** Of the time from its first begin to its last end on the device, in which kernels ran. */
  readonly share: number
  readonly origin: Profile['origin']
  /** Paragraphs. */
  readonly why: readonly string[]
}

export interface Choices {
  readonly question: string
  /** Paragraphs. */
  readonly intro: readonly string[]
  /** The loop up to the place that is open, and behind it. */
  readonly before: HighlightedLines
  readonly after: HighlightedLines
  readonly choices: readonly Choice[]
  /** A strip for each, by its label. */
  readonly story: Story
  /** Under companion/: it made the recordings. */
  readonly script: string
}

const files = import.meta.glob<Choices>('../../lessons/*/choices.md', { import: 'choices' })
const fileOf = (lesson: string): string => `../../lessons/${lesson}/choices.md`

export const hasChoices = (lesson: string): boolean => fileOf(lesson) in files

export const { load: loadChoices } = loadOnce(async (lesson: string): Promise<Choices> => {
  const choices = await files[fileOf(lesson)]?.()
  if (!choices) throw new Error(`The lesson '${lesson}' has no choices.`)
  return choices
})

const undrawn = (strip: StoryStrip): StoryStrip => ({
  ...strip,
  rows: strip.rows.map((row) => ({ ...row, bars: [] })),
  idle: [],
})

/** Of those that were pressed; of the others the empty lanes, as high as theirs. */
export const drawnOf = (story: Story, pressed: readonly string[]): Story => ({
  ...story,
  strips: story.strips.map((strip) => (pressed.includes(strip.variant) ? strip : undrawn(strip))),
})

/** What is as much when it is written is as much. */
export function standingOf({ share }: Choice, choices: readonly Choice[]): string {
  const most = Math.max(...choices.map((each) => each.share))
  if (formatShare(share) === formatShare(most)) return 'No other choice computes more.'
  return choices.length === 2 ? 'The other choice computes more.' : 'Another choice computes more.'
}
