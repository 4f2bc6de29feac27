/**
 * Every branch of a lesson's words that stands under a condition, and which of them a run shows.
 */
import { holds } from '../../text/condition'
import type { Figure } from '../../text/figure'
import { figuresIn } from '../../text/recorded'
import { passageOf, type CardPicture } from '../../text/card'
import { factsOfRun } from '../../text/facts'
import { conditionsIn, leavesOf, quotesIn, stringsOf } from '../../text/testing/all-words'
import { type Reading, type Text, NO_READING, readingOf, type Passage } from '../../text/template'
import type { PlayedLesson, PlayedRun } from './play-words'
import { readingOfItem } from '../quiz-reading'

/**
 * 'question why-so: {when …} The first words': by place and words, so that a list of them can be
 * read.
 */
type Branch = string

const wordsOf = (text: Text): string => stringsOf(text)[0] ?? ''

/** @param see called of each branch: whether it is shown */
function visit(
  text: Text,
  at: string,
  reading: Reading,
  isShown: boolean,
  see: (branch: Branch, shown: boolean) => void,
): void {
  if (typeof text === 'string' || 'parts' in text) return
  if (!('when' in text)) {
    for (const part of text) visit(part, at, reading, isShown, see)
    return
  }
  const { when, otherwise } = text
  const isSo = isShown && holds(when, reading.facts, reading.names)
  const name = (kind: string, words: Text) => `${at}: {${kind}} ${wordsOf(words).slice(0, 70)}`
  see(name('when', text.text), isSo)
  visit(text.text, at, reading, isSo, see)
  if (otherwise === undefined) return
  // A chain: what is under a further condition is a branch of its own.
  if (typeof otherwise === 'string' || !('when' in otherwise)) see(name('else', otherwise), isShown && !isSo)
  visit(otherwise, at, reading, isShown && !isSo, see)
}

/** All branches, and those that these runs show. */
export function branchesOf({ words, mend, declaration, runOf }: PlayedLesson): {
  readonly all: ReadonlySet<Branch>
  readonly shown: ReadonlySet<Branch>
} {
  const all = new Set<Branch>()
  const shown = new Set<Branch>()
  const see = (branch: Branch, isShown: boolean) => {
    all.add(branch)
    if (isShown) shown.add(branch)
  }
  const readings = new Map<PlayedRun, Reading>()
  const readingOfRun = (run: PlayedRun): Reading => {
    const known = readings.get(run)
    if (known) return known
    const facts = factsOfRun(run.report, run.origin)
    const reading = readingOf(facts, declaration.names(facts))
    readings.set(run, reading)
    return reading
  }
  const runs = new Map(['', ...words.steps.map(({ id }) => id)].map((step) => [step, runOf(step)]))
  const readingFor = (step: string): Reading | null => {
    const run = runs.get(step)
    return run ? readingOfRun(run) : null
  }
  const walk = (at: string, passage: Passage, reading: Reading | null) => {
    for (const part of passage) visit(part, at, reading ?? NO_READING, reading !== null, see)
  }
  const own = readingFor('')
  // Steps may share one run, and it has one verdict.
  for (const run of new Set(runs.values())) {
    const reading = run && readingOfRun(run)
    for (const { reason, text, explain } of declaration.rules)
      // Rules share passages: one branch, whichever rule puts it in.
      walk('verdict', [text, ...passageOf(explain)], run?.report.verdict.reason === reason ? reading : null)
  }
  walk('introduction', words.intro, own)
  walk('answer', words.answer, own)
  for (const { id, text, lookFor = [], action } of words.steps) {
    walk(`step ${id}`, text, action ? readingFor(id) : own)
    walk(`step ${id}, conclusion`, lookFor, action ? readingFor(id) : own)
  }
  for (const item of words.quiz) {
    const reading = own && readingOfItem(item, own, declaration.names)
    if (item.premise && own) see(`question ${item.id}: its premise`, reading === own)
    for (const { text, explanation } of item.options)
      walk(`question ${item.id}`, [item.question, text, ...explanation], reading)
  }
  walk('in PyTorch', passageOf(words.inPyTorch), own)
  walk('cannot', passageOf(words.cannot), own)
  if (mend)
    walk(
      'mend',
      [...mend.task, ...mend.hints, ...mend.pytorch.before, ...mend.pytorch.after, ...mend.why],
      own,
    )
  return { all, shown }
}

function figuresOfPicture(picture: CardPicture): readonly Figure[] {
  if (picture.kind === 'bars') return picture.bars.map(({ value }) => value)
  return picture.kind === 'flow' ? picture.ways.flatMap(({ value }) => value ?? []) : []
}
const figuresOfText = (text: Text): readonly Figure[] => [
  ...conditionsIn(text).flatMap(figuresIn),
  ...quotesIn(text).flatMap((quoted) => ('figure' in quoted ? [quoted.figure] : [])),
]

/**
 * Metrics, parameters and derived facts that the words of a lesson, its verdicts and its mend ask
 * for.
 */
export function askedFor({ words, mend, declaration }: Omit<PlayedLesson, 'runOf'>): {
  readonly metrics: ReadonlySet<string>
  readonly params: ReadonlySet<string>
  readonly derived: ReadonlySet<string>
} {
  const passages: readonly Passage[] = [
    words.intro,
    words.answer,
    ...words.steps.flatMap(({ text, lookFor = [] }) => [text, lookFor]),
    ...words.quiz.flatMap(({ question, options }) => [
      [question],
      ...options.flatMap(({ text, explanation }) => [[text], explanation]),
    ]),
    passageOf(words.inPyTorch),
    passageOf(words.cannot),
    ...declaration.rules.map(({ text, explain }) => [text, ...passageOf(explain)]),
    ...(mend ? [mend.task, mend.hints, mend.pytorch.before, mend.pytorch.after, mend.why] : []),
  ]
  const cards = [...words.inPyTorch, ...words.cannot, ...declaration.rules.flatMap(({ explain }) => explain)]
  const figures = [
    ...cards.flatMap(({ picture }) => (picture ? figuresOfPicture(picture) : [])),
    ...passages.flatMap((passage) => passage.flatMap(figuresOfText)),
    ...words.quiz.flatMap(({ premise }) => (premise ? figuresIn(premise.when) : [])),
    ...declaration.rules.flatMap(({ when }) => figuresIn(when)),
  ]
  const names = figures.flatMap(leavesOf)
  const factsOf = (from: 'param' | 'derived') =>
    new Set(names.flatMap((each) => (each.is === 'fact' && each.from === from ? [each.name] : [])))
  return {
    metrics: new Set(names.flatMap((each) => (each.is === 'metric' ? [each.name] : []))),
    params: factsOf('param'),
    derived: factsOf('derived'),
  }
}
