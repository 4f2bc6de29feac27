/** What a run of a lesson came to: the number, the verdict, the first steps. The same for one's own run and for one that was shared. */
import type { Meta } from '../../experiments/metas'
import type { Asked, ExperimentLesson } from '../../lessons/lesson'
import type { Prediction } from '../../state/lesson-store'
import type { RunState } from '../../state/run-store'
import type { Report } from '../../trace/report'
import { Quantities } from '../prose/Prose'
import { differences } from '../run/param-query'
import { Headline } from './Headline'
import { StoryPanel } from './StoryPanel'

const WHERE: Readonly<Record<RunState['origin'], string>> = {
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

export interface SeeResultProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly asked: Asked
  readonly prediction: Prediction | null
  readonly run: RunState
  readonly report: Report
}

export const SeeResult = ({ lesson, meta, asked, prediction, run, report }: SeeResultProps) => {
  const { outcome, text } = report.verdict
  const changedNames = differences(meta, run.params, lesson.values)
  const changed = meta.params
    .filter(({ name }) => changedNames.includes(name))
    .map(({ label }) => label.toLowerCase())
  return (
    <>
      <Headline asked={asked} prediction={prediction} run={run} report={report} changed={changed} />
      <p className={`see-verdict verdict-${outcome}`} data-testid="verdict" data-outcome={outcome}>
        <strong>{outcomeWords(WHERE[run.origin])[outcome]}</strong> <Quantities text={text} />
      </p>
      <StoryPanel lesson={lesson} meta={meta} run={run} withCode />
    </>
  )
}
