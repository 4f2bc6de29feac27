/**
 * The lessons as a path in parts: what each lets you measure, how far you have come, which is next.
 */
import type { ReactNode } from 'react'
import { lessonIndex, type LessonHead } from 'virtual:lesson-index'
import { PARTS } from '../../../lessons/lesson'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute } from '../../state/url'
import { formatCount } from '../format'
import { useShell } from '../lab-context'
import { useStore } from 'zustand'

const foundIn = (finds: NonNullable<LessonProgress['finds']>): number =>
  Object.values(finds).filter(({ found }) => found).length

const isDone = ({ outcome, answers, mend, finds = {} }: LessonProgress, head: LessonHead): boolean =>
  outcome !== null &&
  Object.keys(answers).length >= head.questions &&
  foundIn(finds) >= head.profiles &&
  (!head.hasExercise || (mend !== undefined && mend.passed !== false))

const GO = { new: 'Begin', begun: 'Continue', done: 'Again' } as const

/** Lessons that belong together, in the order of the path; those of no part last. */
const parts = [
  ...Object.entries(PARTS).map(([id, title]) => ({ title, heads: headsOf(id) })),
  { title: 'More lessons', heads: headsOf(null) },
].filter(({ heads }) => heads.length > 0)

function headsOf(id: string | null): readonly LessonHead[] {
  return lessonIndex.filter(({ part }) => part === id)
}

/** On a wide page the parts stand in two columns; these are in the first. */
const FIRST_COLUMN = 2

/** @param children below the last part */
export const LessonPath = ({ children }: { readonly children: ReactNode }) => {
  const { lessons } = useShell()
  const saved = useStore(lessons.store, (state) => state.lessons)
  const isOpen = (head: LessonHead) => !isDone(saved[head.id] ?? EMPTY_PROGRESS, head)
  const next = lessonIndex.find(isOpen)
  const drawn = (some: typeof parts) =>
    some.map(({ title, heads }) => {
      const minutes = heads.filter(isOpen).reduce((sum, head) => sum + head.minutes, 0)
      return (
        <section key={title} className="path-part">
          <h3>
            {title}{' '}
            <span className="small quiet">
              {minutes === 0 ? 'done' : `${formatCount(minutes, 'minute')} left`}
            </span>
          </h3>
          <ol className="stack-4">
            {heads.map((head) => (
              <Stop key={head.id} head={head} progress={saved[head.id]} isNext={head === next} />
            ))}
          </ol>
        </section>
      )
    })
  return (
    <div className="path stack">
      <div className="stack-32">{drawn(parts.slice(0, FIRST_COLUMN))}</div>
      <div className="stack-32">
        {drawn(parts.slice(FIRST_COLUMN))}
        {children}
      </div>
    </div>
  )
}

interface StopProps {
  readonly head: LessonHead
  readonly progress: LessonProgress | undefined
  readonly isNext: boolean
}

const Stop = ({ head, progress = EMPTY_PROGRESS, isNext }: StopProps) => {
  const state = isDone(progress, head) ? 'done' : progress === EMPTY_PROGRESS ? 'new' : 'begun'
  return (
    <li className={`path-stop stack path-${state}`} data-lesson={head.id} data-next={isNext || undefined}>
      {head.hasThumbnail ? (
        <img
          className="path-thumbnail"
          src={`./thumbnails/${head.id}.svg`}
          alt=""
          width={120}
          height={39}
          loading="lazy"
        />
      ) : (
        <span />
      )}
      <div className="path-text stack-2">
        <p className="small quiet">
          Lesson {head.number} · {head.minutes} minutes
          {state !== 'new' && ` · ${state}`}
          {head.recommended !== '' && <strong className="path-for bold">{head.recommended}</strong>}
        </p>
        <h4>
          <a href={addressOf(lessonRoute(head.id))}>{head.question}</a>
        </h4>
        <p className="small">{head.measures}</p>
        {isNext && (
          <p>
            <a
              className="button button-main button-small"
              href={addressOf(lessonRoute(head.id))}
              aria-label={`${GO[state]} lesson ${String(head.number)}: ${head.question}`}
            >
              {GO[state]}
            </a>
          </p>
        )}
      </div>
    </li>
  )
}
