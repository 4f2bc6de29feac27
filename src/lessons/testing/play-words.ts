/**
 * Everything that a lesson says of runs, sentence by sentence, as its pages would.
 */
import { judge } from '../../experiments/declare/judge'
import type { Declaration } from '../../experiments/declare/experiment'
import { explain } from '../../experiments/testing/explained-by'
import type { ExerciseWords } from '../../exercises/exercise'
import type { Report } from '../../trace/report'
import { factsOfRun, NO_FACTS } from '../../text/facts'
import { passageOf } from '../../text/card'
import { type Reading, readingOf, partsFor, type Passage } from '../../text/template'
import { say } from '../../text/wording'
import type { ExperimentWords } from '../lesson'
import { readingOfItem } from '../quiz-reading'

export interface PlayedRun {
  readonly report: Report
  readonly origin: 'live' | 'recorded'
}

/** A paragraph and where it stands: 'step curve, look for'. */
export interface Played {
  readonly at: string
  readonly words: string
}

export interface PlayedLesson {
  readonly words: ExperimentWords
  readonly mend: ExerciseWords | null
  readonly declaration: Declaration
  /** The lesson's own run for '', or that of a step; null: there is none. */
  readonly runOf: (step: string) => PlayedRun | null
}

export function playWords({ words, mend, declaration, runOf }: PlayedLesson): readonly Played[] {
  const played: Played[] = []
  const add = (at: string, passage: Passage, reading: Reading) => {
    for (const each of partsFor(passage, reading)) played.push({ at, words: each })
  }
  const readingFor = (run: PlayedRun | null): Reading => {
    const facts = run ? factsOfRun(run.report, run.origin) : NO_FACTS
    return readingOf(facts, run ? declaration.names(facts) : {})
  }
  const addVerdict = (at: string, { report, origin }: PlayedRun) => {
    const { outcome, reason, text } = judge(declaration, report)
    played.push({ at: `${at}verdict (${outcome}: ${reason})`, words: text })
    for (const each of explain(declaration, { report, origin }, say))
      played.push({ at: `${at}what happened`, words: each })
  }

  const own = runOf('')
  const reading = readingFor(own)
  add('introduction', words.intro, reading)
  if (own) addVerdict('', own)
  add('answer', words.answer, reading)
  for (const step of words.steps) {
    const run = runOf(step.id)
    const asked = step.guess ? [...step.text, step.guess.question] : step.text
    add(`step ${step.id}`, asked, readingFor(step.action ? run : own))
    if (run) addVerdict(`step ${step.id}: `, run)
    add(`step ${step.id}, conclusion`, step.lookFor ?? [], readingFor(step.action ? run : own))
  }
  for (const item of words.quiz) {
    const of = readingOfItem(item, reading, declaration.names)
    const at = `question ${item.id}${of === reading ? '' : ' (asked of the recording)'}`
    add(at, [item.question], of)
    for (const { text, correct, explanation } of item.options)
      add(`${at}, ${correct ? 'right' : 'wrong'}`, [text, ...explanation], of)
  }
  if (mend) {
    add('mend', mend.task, reading)
    add('mend, hints', mend.hints, reading)
    add('mend, its twin', [...mend.pytorch.before, ...mend.pytorch.after], reading)
    add('mend, why', mend.why, reading)
  }
  add('in PyTorch', passageOf(words.inPyTorch), reading)
  add('cannot', passageOf(words.cannot), reading)
  return played
}
