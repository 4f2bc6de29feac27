/** A measured run and its model: what the page asks, and what comes back. No trace does: nothing modelled can be taken for a run. */
import type { Story, StoryOptions } from '../../analysis/story'
import type { Metric, Report } from '../../trace/report'
import type { OwnCard } from '../card'

/** 'own': of the machine that the run was measured on. */
export type Whose = 'own' | 'cuda'

export interface BesideRequest {
  readonly whose: Whose
  /** The machine's own card, where it was measured on purpose; null: it is fitted from the run. */
  readonly own: OwnCard | null
  readonly report: Pick<Report, 'experiment' | 'params' | 'derived' | 'environment'>
  /** Strips, as the measured ones are cut. */
  readonly variants: readonly string[]
  readonly cut: Pick<StoryOptions, 'steps' | 'leastNs' | 'isSteady'>
}

export interface Modelled {
  readonly whose: Whose
  /** In words: of what the card is. */
  readonly source: string
  readonly isFitted: boolean
  readonly metrics: readonly (Omit<Metric, 'origin'> & { readonly origin: 'modelled' })[]
  /** Null: nothing can be drawn. */
  readonly story: Story | null
}

/** `why`: there is no model of it, as a sentence. */
export type BesideAnswer = { readonly modelled: Modelled } | { readonly why: string }
