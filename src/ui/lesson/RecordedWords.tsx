/** Sentences that quote files of PyTorch: below the headline, and in 'And in CUDA?'. Nothing where a file is missing. */
import type { ExperimentLesson } from '../../lessons/lesson'
import { Prose } from '../prose/Prose'
import type { LessonRun } from './use-lesson-run'
import { originInWords, recordedOf, useRecorded, type ReadFiles } from './use-recorded'

const originOf = (read: ReadFiles): string =>
  [...new Set([...read.values()].map(originInWords))].filter((words) => words !== '').join('; ')

const Words = ({ text, read }: { readonly text: readonly string[]; readonly read: ReadFiles }) =>
  text.length === 0 ? null : (
    <div className="recorded-words" data-testid="recorded-words">
      <Prose text={text} />
      <p className="quiet">PyTorch’s figures are recorded: {originOf(read)}.</p>
    </div>
  )

export const RecordedBeside = ({
  lesson,
  state,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}) => {
  const write = lesson.recorded?.beside
  const read = useRecorded(write && lesson.recorded)
  if (!read || !write) return null
  // Only a run of the visitor's own is called theirs.
  const own = (step: string) => {
    const run = state.ended(step)
    return run?.origin === 'live' && run.report?.validity.valid ? run.report.metrics : null
  }
  return <Words text={write(recordedOf(read), own)} read={read} />
}

export const RecordedCarriesOver = ({ lesson }: { readonly lesson: ExperimentLesson }) => {
  const write = lesson.recorded?.carriesOver
  const read = useRecorded(write && lesson.recorded)
  return read && write ? <Words text={write(recordedOf(read))} read={read} /> : null
}
