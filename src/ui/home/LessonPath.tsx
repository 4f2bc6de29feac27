/** The lessons as a path: what each lets you measure, and how far you have come. */
import { lessonIndex, type LessonHead } from 'virtual:lesson-index'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute } from '../../state/url'
import { formatCount, formatFigures, formatNumber, withUnit } from '../format'
import { useShell } from '../lab-context'
import { useStore } from '../use-store'
import { Thumbnail } from './Thumbnail'

/** What stands between beginning and end, in words. */
function progressWords(
  { prediction, outcome, answers, mend, finds = {} }: LessonProgress,
  head: LessonHead,
): string | null {
  const parts: string[] = []
  if (prediction?.kind === 'made')
    parts.push(`you said ${withUnit(formatNumber(prediction.value), prediction.unit ?? head.unit)}`)
  if (prediction?.kind === 'skipped') parts.push('prediction skipped')
  if (outcome) {
    const value = withUnit(formatFigures(outcome.value), outcome.unit ?? head.unit)
    parts.push(
      `${outcome.recorded ? 'recorded' : 'measured'} ${value}${outcome.recorded ? ` on ${outcome.adapter}` : ''}`,
    )
  }
  if (mend && mend.passed !== false) parts.push(MENDED[mend.passed === true ? 'true' : 'null'])
  if (Object.keys(finds).length > 0)
    parts.push(
      `the line found in ${formatNumber(foundIn(finds))} of ${formatCount(head.profiles, 'profile')}`,
    )
  const answered = Object.keys(answers).length
  if (answered > 0)
    parts.push(`${formatNumber(answered)} of ${formatCount(head.questions, 'question')} answered`)
  return parts.length > 0 ? parts.join(' · ') : null
}

const MENDED: Readonly<Record<'true' | 'null', string>> = {
  true: 'mended',
  null: 'mended, as far as this machine can tell',
}

const foundIn = (finds: NonNullable<LessonProgress['finds']>): number =>
  Object.values(finds).filter(({ found }) => found).length

const isDone = ({ outcome, answers, mend, finds = {} }: LessonProgress, head: LessonHead): boolean =>
  outcome !== null &&
  Object.keys(answers).length >= head.questions &&
  foundIn(finds) >= head.profiles &&
  (!head.hasMend || (mend !== undefined && mend.passed !== false))

const GO = { new: 'Begin', begun: 'Go on', done: 'Again' } as const

export const LessonPath = () => {
  const { lessons } = useShell()
  const saved = useStore(lessons.store, (state) => state.lessons)
  const next = lessonIndex.find((head) => !isDone(saved[head.id] ?? EMPTY_PROGRESS, head))
  return (
    <ol className="path">
      {lessonIndex.map((head, index) => {
        const progress = saved[head.id] ?? EMPTY_PROGRESS
        const words = progressWords(progress, head)
        const state = isDone(progress, head) ? 'done' : words ? 'begun' : 'new'
        return (
          <li key={head.id} className={`path-stop path-${state}`} data-lesson={head.id}>
            <Thumbnail thumbnail={progress.thumbnail} />
            <div className="path-text">
              <p className="small quiet">
                Lesson {index + 1} · {head.title} · about {head.minutes} minutes
              </p>
              <h3>
                <a href={addressOf(lessonRoute(head.id))}>{head.question}</a>
              </h3>
              <p>{head.measures}</p>
              {words !== null && <p className="path-progress small">{words}</p>}
            </div>
            <a
              className={`button path-go ${head === next ? 'button-main' : ''}`}
              href={addressOf(lessonRoute(head.id))}
              aria-label={`${GO[state]} lesson ${String(index + 1)}: ${head.question}`}
            >
              {GO[state]}
            </a>
          </li>
        )
      })}
    </ol>
  )
}
