/** The lessons as a path: what each lets you measure, and how far you have come. */
import { lessonIndex, type LessonHead } from 'virtual:lesson-index'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { formatHash } from '../../state/url'
import { formatCount, formatNumber, withUnit } from '../format'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'

/** What stands between beginning and end, in words. */
function progressWords({ prediction, outcome, answers }: LessonProgress, head: LessonHead): string | null {
  const parts: string[] = []
  if (prediction?.kind === 'made')
    parts.push(`you said ${withUnit(formatNumber(prediction.value), prediction.unit ?? head.unit)}`)
  if (prediction?.kind === 'skipped') parts.push('prediction skipped')
  if (outcome) {
    const value = withUnit(formatNumber(Number(outcome.value.toPrecision(3))), outcome.unit ?? head.unit)
    parts.push(
      `${outcome.recorded ? 'recorded' : 'measured'} ${value}${outcome.recorded ? ` on ${outcome.adapter}` : ''}`,
    )
  }
  const answered = Object.keys(answers).length
  if (answered > 0)
    parts.push(`${formatNumber(answered)} of ${formatCount(head.questions, 'question')} answered`)
  return parts.length > 0 ? parts.join(' · ') : null
}

const isDone = ({ outcome, answers }: LessonProgress, head: LessonHead): boolean =>
  outcome !== null && Object.keys(answers).length >= head.questions

export const LessonPath = () => {
  const { lessons } = useLab()
  const saved = useStore(lessons.store, (state) => state.lessons)
  const next = lessonIndex.find((head) => !isDone(saved[head.id] ?? EMPTY_PROGRESS, head))
  return (
    <ol className="path">
      {lessonIndex.map((head) => {
        const progress = saved[head.id] ?? EMPTY_PROGRESS
        const words = progressWords(progress, head)
        const state = isDone(progress, head) ? 'done' : words ? 'begun' : 'new'
        return (
          <li key={head.id} className={`path-stop path-${state}`} data-lesson={head.id}>
            <span className="path-mark" aria-hidden="true">
              {head.number}
            </span>
            <div className="path-text">
              <p className="small quiet">
                {head.title} · about {head.minutes} minutes
              </p>
              <h3>
                <a href={formatHash({ page: 'lesson', id: head.id, query: {} })}>{head.question}</a>
              </h3>
              <p>{head.measures}</p>
              {words !== null && <p className="path-progress small">{words}</p>}
            </div>
            {head === next && (
              <a
                className="button button-main path-go"
                href={formatHash({ page: 'lesson', id: head.id, query: {} })}
                aria-label={`${state === 'begun' ? 'Go on with' : 'Begin'} lesson ${String(head.number)}: ${head.title}`}
              >
                {state === 'begun' ? 'Go on' : 'Begin'}
              </a>
            )}
          </li>
        )
      })}
    </ol>
  )
}
