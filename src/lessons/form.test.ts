/**
 * The form of a lesson (README.md): how many words its parts show of the recorded run, and that
 * each cause which its words claim was measured.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainText, parseInline } from '../site/ui/prose/parse-prose'
import { bindFigure, quotationsIn } from '../text/recorded'
import { evaluate, type Figure, type Quantity } from '../text/figure'
import type { Figures, Named, AllEvidence } from '../text/define-figures'
import { NO_FACTS, factsOfRun } from '../text/facts'
import { NO_READING, partsFor } from '../text/template'
import { cardsFor } from '../text/card'
import { recordedIn } from '../../vite/recorded-figures'
import { evidenceFigures } from '../../vite/words/named'
import { exerciseWords, experimentLessons, metaOf } from './testing/catalog'
import { judged } from './testing/made-up-runs'
import { recordedRuns } from './testing/recorded-runs'
import { playWords } from './testing/play-words'

/** The most words that a part shows, by the place that playWords gives it. */
const LIMITS: readonly (readonly [part: RegExp, words: number])[] = [
  [/^introduction$/, 50],
  [/^answer$/, 60],
  [/^verdict/, 40],
  [/^step \S+$/, 45],
  [/^step \S+, conclusion$/, 60],
]
const MOST = { explanation: 3, inPyTorch: 2, cannot: 2, steps: 3, tryNext: 4, path: 1800 } as const

const countOf = (text: string): number =>
  plainText(parseInline(text)).match(/[^ ]*[\p{L}\p{N}][^ ]*/gu)?.length ?? 0

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (id, lesson) => {
  const declaration = metaOf(lesson)
  const runs = new Map(
    [...(recordedRuns(id)[0]?.[1] ?? [])].map(([step, report]) => [step, judged(declaration, report)]),
  )
  const played = playWords({
    words: lesson,
    mend: exerciseWords(id),
    declaration,
    runOf: (step) => runs.get(step) ?? null,
  })

  it('has five screens of few words', () => {
    const parts = new Map<string, string[]>()
    for (const { at, words } of played) parts.set(at, [...(parts.get(at) ?? []), words])
    for (const [at, texts] of parts) {
      const text = texts.join(' ')
      for (const [part, most] of LIMITS)
        if (part.test(at)) expect.soft(countOf(text), `${at}: ${text}`).toBeLessThanOrEqual(most)
    }
    const own = runs.get('')
    const shown = partsFor(
      lesson.answer,
      own ? { ...NO_READING, facts: factsOfRun(own.report, own.origin) } : NO_READING,
    )
    expect.soft(shown.join(' '), 'the answer comes first, in bold').toMatch(/^\*\*/)
    expect
      .soft(parts.get('what happened')?.length ?? 0, 'cards of a verdict')
      .toBeLessThanOrEqual(MOST.explanation)
    expect.soft(cardsFor(lesson.inPyTorch, NO_READING).length).toBeLessThanOrEqual(MOST.inPyTorch)
    expect.soft(cardsFor(lesson.cannot, NO_READING).length).toBeLessThanOrEqual(MOST.cannot)
    expect.soft(lesson.steps.length).toBeLessThanOrEqual(MOST.steps)
    expect.soft(lesson.tryNext.length).toBeLessThanOrEqual(MOST.tryNext)
    expect.soft(lesson.quiz.length).toBe(3)
    const path = played.filter(({ at }) => !/, wrong$|^mend, (hints|why|its twin)/.test(at))
    expect
      .soft(
        path.reduce((sum, { words }) => sum + countOf(words), 0),
        'words on a path',
      )
      .toBeLessThanOrEqual(MOST.path)
  })

  it('asks about its one change, and concludes', () => {
    const [first] = lesson.steps
    expect.soft(first?.action, 'the first step runs').toBeDefined()
    expect.soft(first?.guess, 'and asks before it').toBeDefined()
    expect.soft(first?.lookFor?.length ?? 0, 'and concludes').toBeGreaterThan(0)
  })
})

const modules = import.meta.glob<{ readonly figures: Figures; readonly evidence?: AllEvidence }>(
  ['./*/figures.ts', '../experiments/*/figures.ts'],
  {
    eager: true,
  },
)

describe.each(
  Object.entries(modules).flatMap(([path, { evidence }]) => (evidence ? [[path, evidence] as const] : [])),
)('%s', (path, evidence) => {
  const id = path.split('/').at(-2) ?? ''
  const report = recordedRuns(id)[0]?.[1].get('')
  const lesson = experimentLessons.find((each) => each.id === id)
  const facts = report ? factsOfRun(report, 'recorded') : NO_FACTS
  const names = lesson ? metaOf(lesson).names(facts) : {}

  it.each(Object.entries(evidence))('%s was measured', async (_, each) => {
    const files = evidenceFigures(each)
      .flatMap(quotationsIn)
      .map(({ file }) => file)
    const recorded = (await recordedIn(files)).figure
    const of = (figure: Figure): Quantity => {
      const found = evaluate(bindFigure(figure, recorded), facts, names)
      if (!found) throw new Error('It was not measured in the recorded run.')
      return found
    }
    if (each.kind === 'pair') {
      const [a, b] = each.figures.map(of)
      const apart =
        a && b && ((a.high ?? a.value) < (b.low ?? b.value) || (b.high ?? b.value) < (a.low ?? a.value))
      expect(apart, JSON.stringify([a, b])).toBe(true)
      return
    }
    const whole = of(each.whole)
    const parts = each.parts.map(of)
    for (const part of parts) expect(part.low ?? part.value).toBeLessThanOrEqual(whole.high ?? whole.value)
    const sum = parts.reduce((all, { value }) => all + value, 0)
    expect(Math.abs(sum - whole.value) / whole.value, 'the parts add up to the whole').toBeLessThan(0.1)
  })
})

/** Shares of a profile's time: recordings of torch.profiler alone have them. */
const isProfiled = (named: Named | undefined): boolean =>
  named !== undefined &&
  'figure' in named &&
  quotationsIn(named.figure).some(
    ({ file, figure }) => file.startsWith('torch-') && figure.endsWith('-ratio'),
  )

it('no share of a profiled program stands without the profiler', () => {
  const loose = Object.entries(modules).flatMap(([path, { figures }]) => {
    const folder = join('src/lessons', dirname(path))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n\n'))
      .filter((text) => !/profil/i.test(text))
      .filter((text) => [...text.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => isProfiled(figures[name])))
  })
  expect(loose).toEqual([])
})
