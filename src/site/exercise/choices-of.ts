/**
 * What was recorded of a lesson's loop in PyTorch with each of two or three ways to write it
 * (vite/recorded-choices.ts), loaded when it is shown.
 */
import { durationText } from '../../base/figures'
import { loadOnce } from '../../base/load-once'
import type { Excerpt, ExcerptStrip } from '../../strips/excerpt'
import type { RecordedOrigin } from '../../text/recorded'
import type { HighlightedLines } from '../ui/source/lines'

/** The profile's own words on its origin; '' if it has none. */
export interface ProfileOrigin extends RecordedOrigin {
  /** 'PyTorch 2.11.0, CUDA 13.0' */
  readonly software: string
}

export interface Choice {
  readonly label: string
  /** What stands in the open place; none: nothing. */
  readonly lines: HighlightedLines
  /** In the address of a trace. */
  readonly recording: string
  /** Mean, from the end of the first step to that of the last (vite/read-profile.ts). */
  readonly stepMs: number
  /** A step without the profiler, ms. */
  readonly took: { readonly value: number; readonly low: number; readonly high: number }
  /** Of the profile's time, in which kernels ran; null where no device did anything. */
  readonly share: number | null
  readonly origin: ProfileOrigin
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
  readonly excerpt: Excerpt
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

const undrawn = (strip: ExcerptStrip): ExcerptStrip => ({
  ...strip,
  rows: strip.rows.map((row) => ({ ...row, bars: [], idle: [] })),
})

/** Of those that were pressed; of the others the empty lanes, as high as theirs. */
export const drawnOf = (excerpt: Excerpt, pressed: readonly string[]): Excerpt => ({
  ...excerpt,
  strips: excerpt.strips.map((strip) => (pressed.includes(strip.variant) ? strip : undrawn(strip))),
})

/** By their steps without the profiler. */
export function standingOf(
  { took: { low } }: Pick<Choice, 'took'>,
  choices: readonly Pick<Choice, 'label' | 'took'>[],
): string {
  if (choices.every(({ took }) => took.high >= low)) {
    const sooner = choices.find(({ took }) => took.value < low)
    return sooner
      ? `‘${sooner.label}’ was quicker in at least half of its repeats, and took ${durationText(sooner.took.high * 1e6)} in its slowest.`
      : 'No other choice is measurably quicker.'
  }
  return choices.length === 2 ? 'The other choice is quicker.' : 'Another choice is quicker.'
}
