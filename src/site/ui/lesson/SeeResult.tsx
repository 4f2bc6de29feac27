/** What a run of a lesson came to: the number, the answer, the first steps. */
import type { Meta } from '../../../experiments/catalog'
import type { ParamValues } from '../../../experiments/experiment'
import type { Asked, ExperimentLesson } from '../../../lessons/lesson'
import type { Prediction } from '../../state/lesson-store'
import type { RunState } from '../../state/run-store'
import type { Report } from '../../../trace/report'
import { Quantities } from '../prose/Inline'
import { Prose } from '../prose/Prose'
import { differences } from '../run/param-query'
import { Headline } from './Headline'
import { ExcerptPanel } from './ExcerptPanel'

type Origin = RunState['origin']

const WHERE: Readonly<Record<Origin, string>> = {
  live: 'this machine',
  recorded: 'the recorded machine',
  imported: 'the sender’s machine',
}

const outcomeWords = (where: string) => ({
  shown: `Shown on ${where}.`,
  'not-shown': `Not shown on ${where}.`,
  inconclusive: 'Not decided.',
  invalid: 'This run does not count.',
})

const VerdictLine = ({
  verdict: { outcome, text },
  origin,
}: {
  readonly verdict: Report['verdict']
  readonly origin: Origin
}) => (
  <p className={`see-verdict verdict-${outcome}`} data-testid="verdict" data-outcome={outcome}>
    <strong>{outcomeWords(WHERE[origin])[outcome]}</strong> <Quantities text={text} />
  </p>
)

/** Labels of the parameters in which a run differs from the lesson's own. */
export const changedFrom = (lesson: ExperimentLesson, meta: Meta, params: ParamValues): readonly string[] => {
  const names = differences(meta, params, lesson.values)
  return meta.params.filter(({ name }) => names.includes(name)).map(({ label }) => label.toLowerCase())
}

export interface SeeResultProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly asked: Asked
  readonly prediction: Prediction | null
  readonly run: RunState
  readonly report: Report
  /** With the replay, the program beside it, and the verdict's figures. */
  readonly isCloser: boolean
}

export const SeeResult = ({ lesson, meta, asked, prediction, run, report, isCloser }: SeeResultProps) => {
  const { origin, params } = run
  const isDecided = report.verdict.outcome === 'shown' || report.verdict.outcome === 'not-shown'
  return (
    <>
      <Headline {...{ asked, prediction, origin, report }} changed={changedFrom(lesson, meta, params)} />
      <Prose className="see-answer size-3" text={lesson.answer} />
      {(isCloser || !isDecided) && <VerdictLine verdict={report.verdict} origin={origin} />}
      <ExcerptPanel {...{ lesson, meta, run, isCloser }} />
    </>
  )
}
