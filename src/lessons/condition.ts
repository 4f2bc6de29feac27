/**
 * Conditions of lesson text. A sentence about what a run shows stands under one, since the run on the page may show something else:
 * another adapter, no timestamps, a verdict that came out the other way. An unknown fact satisfies neither a test nor its negation.
 */
import type { DeviceFacts, Report } from '../trace/report'
import type { Fact, Inline, Passage, Prose, Table, Test } from './lesson'

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

/** The paragraphs and tables to show, in order. */
export const partsFor = (passage: Passage, facts: Facts): readonly (Inline | Table)[] =>
  passage.flatMap((part) =>
    typeof part === 'string' || 'rows' in part
      ? [part]
      : part.when.every((test) => holds(test, facts))
        ? [part.text]
        : [],
  )

/** A table as sentences: its caption, then each row with the heads of its columns. Where words alone can stand: said aloud, searched. */
const tableWords = ({ caption, columns, rows }: Table): Prose => [
  caption,
  ...rows.map(([name = '', ...cells]) => {
    const said = cells.map((cell, index) => `${columns[index + 1]?.head ?? ''}: ${cell}`)
    return `${name}. ${said.join('; ')}.`
  }),
]

const wordsOf = (part: Inline | Table): Prose => (typeof part === 'string' ? [part] : tableWords(part))

/** The same in words alone. */
export const wordsFor = (passage: Passage, facts: Facts): Prose => partsFor(passage, facts).flatMap(wordsOf)

/** Every paragraph, caption, head and cell, shown or not: for checks of the words themselves. */
export const allWords = (passage: Passage): Prose =>
  passage.flatMap((part) => {
    if (typeof part === 'string') return [part]
    if (!('rows' in part)) return [part.text]
    return [part.caption, ...part.columns.map(({ head }) => head), ...part.rows.flat()]
  })

/** A table with every text of it written anew: figures filled in. */
export const mapTable = (table: Table, write: (text: Inline) => Inline): Table => ({
  caption: write(table.caption),
  columns: table.columns.map(({ head, align }) => ({ head: write(head), align })),
  rows: table.rows.map((row) => row.map(write)),
})
