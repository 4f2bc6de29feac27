/**
 * Cards of the screen 'Why', as they stand for each recorded run of a lesson: one idea each, in at
 * most 60 words. A figure and its unit are one word; what is folded does not count.
 */
import { describe, expect, it } from 'vitest'
import { explanationOf } from '../experiments/declare/judge'
import { formatMetric } from '../site/ui/format'
import { plainText, parseInline } from '../site/ui/prose/parse-prose'
import { cardsFor, type Card } from '../text/card'
import { factsOfRun } from '../text/facts'
import { evaluate } from '../text/figure'
import { type Reading, NO_READING, readingOf } from '../text/template'
import { experimentLessons, metaOf } from './testing/catalog'
import { judged } from './testing/made-up-runs'
import { recordedRuns } from './testing/recorded-runs'

const MOST_WORDS = 60

const plain = (text: string): string => plainText(parseInline(text))
/** Counts as a reader does: a dash alone is no word. */
const countOf = (text: string): number => plain(text).match(/[^ ]*[\p{L}\p{N}][^ ]*/gu)?.length ?? 0

function expectCards(cards: readonly Card[], reading: Reading, at: string): void {
  for (const { idea, words, picture } of cardsFor(cards, reading)) {
    expect.soft(idea, `${at}: its idea in bold comes first: ${words}`).not.toBeNull()
    // A heading, and sentences below it.
    expect.soft(idea ?? '', at).toMatch(/[.?]$/)
    expect.soft(words, `${at}: ${idea ?? ''}`).not.toMatch(/^[a-z]|:$/)
    for (const { label, value, as } of picture?.kind === 'bars' ? picture.bars : [])
      expect
        .soft(as ?? evaluate(value, reading.facts, reading.names)?.unit, `${at}: ${label} has a unit`)
        .not.toBe('count')
    const shown = `${idea ?? ''} ${words}`
    expect.soft(countOf(shown), `${at}: ${plain(shown)}`).toBeLessThanOrEqual(MOST_WORDS)
  }
}

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (id, lesson) => {
  const declaration = metaOf(lesson)
  const runs = recordedRuns(id).flatMap(([name, reports]) => {
    const report = reports.get('')
    return report ? [[name, judged(declaration, report)] as const] : []
  })

  it('has cards of one idea without a run', () => {
    expectCards(lesson.inPyTorch, NO_READING, 'carries over')
    expectCards(lesson.cannot, NO_READING, 'cannot')
  })

  it.each(runs)('has cards of one idea: %s', (_name, { report, origin }) => {
    const facts = factsOfRun(report, origin)
    const reading = readingOf(facts, declaration.names(facts))
    expectCards(lesson.inPyTorch, reading, 'carries over')
    expectCards(lesson.cannot, reading, 'cannot')
    const { cards, reading: quoting } = explanationOf(declaration, { report, origin }, formatMetric)
    expectCards(cards, quoting, `what happened (${report.verdict.reason})`)
  })
})
