/**
 * Conditions of lesson text. A sentence about what a run shows stands under one, since the run on the page may show something else:
 * another adapter, no timestamps, a verdict that came out the other way. An unknown fact satisfies neither a test nor its negation.
 */
import type { DeviceFacts, Report } from '../trace/report'
import type { Fact, Passage, Prose, Test } from './lesson'

/** Null: not known (yet). `ran`: the run that the text is about has ended. */
export type Facts = Readonly<Record<Fact, boolean | null>> & { readonly reason: string | null }

export const NO_FACTS: Facts = {
  ran: false,
  shown: null,
  inconclusive: null,
  software: null,
  timestamps: null,
  recorded: null,
  reason: null,
}

/** Of the device alone, before any run; null where it has not answered. */
export const factsOfDevice = (device: Pick<DeviceFacts, 'isSoftware' | 'features'> | null): Facts =>
  device === null
    ? NO_FACTS
    : {
        ...NO_FACTS,
        software: device.isSoftware,
        timestamps: device.features.includes('timestamp-query'),
      }

/** Of a run that has ended. A run that does not count shows nothing, neither this nor the opposite. */
export function factsOfRun(
  report: Pick<Report, 'environment' | 'clock' | 'verdict' | 'validity' | 'verification'>,
  origin: 'live' | 'recorded' | 'imported',
): Facts {
  const { environment, clock, verdict, validity, verification } = report
  const counts = validity.valid && verification.failed === 0
  return {
    ran: true,
    shown: counts ? verdict.outcome === 'shown' : null,
    inconclusive: counts ? verdict.outcome === 'inconclusive' : null,
    software: environment.isSoftware,
    timestamps: clock.state !== 'no-timestamps',
    recorded: origin !== 'live',
    reason: counts ? verdict.reason : null,
  }
}

function holds(test: Test, facts: Facts): boolean {
  const value =
    'fact' in test ? facts[test.fact] : facts.reason === null ? null : facts.reason === test.reason
  return value !== null && value !== test.not
}

/** The paragraphs to show, in order. */
export const wordsFor = (passage: Passage, facts: Facts): Prose =>
  passage.flatMap((part) =>
    typeof part === 'string' ? [part] : part.when.every((test) => holds(test, facts)) ? [part.text] : [],
  )

/** Every paragraph, shown or not: for checks of the words themselves. */
export const allWords = (passage: Passage): Prose =>
  passage.map((part) => (typeof part === 'string' ? part : part.text))
