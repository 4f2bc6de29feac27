/**
 * What stands round each screen of a lesson: which lesson it is, its question, the way through its
 * screens.
 */
import type { ReactNode, RefObject } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import type { Lesson } from '../../../lessons/lesson'
import { addressOf, lessonRoute, type Route } from '../../state/url'
import { Quantities } from '../prose/Inline'
import { usePrinting } from '../figure/use-width'
import { LessonText } from './LessonText'

/** The whole text of a lesson, behind the screen in view, while the page is printed. */
const PrintedText = ({ lesson }: { readonly lesson: Lesson }) =>
  usePrinting() && <LessonText lesson={lesson} />

export interface Stop {
  readonly screen: string
  readonly label: string
}

export interface LessonFrameProps {
  readonly lesson: Lesson
  /** In their order; the first is the question. */
  readonly stops: readonly Stop[]
  readonly screen: string
  /** Its experiment with all controls. */
  readonly bench?: Route
  readonly page: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

export const LessonFrame = ({ lesson, stops, screen, bench, page, children }: LessonFrameProps) => (
  <article ref={page} className={`page lesson lesson-${screen}`}>
    <header className="lesson-head stack">
      <p className="small quiet">
        Lesson {lessonIndex.findIndex(({ id }) => id === lesson.id) + 1} of {lessonIndex.length}
      </p>
      <h1 className={screen === stops[0]?.screen ? '' : 'lesson-title-small'}>
        <Quantities text={lesson.question} />
      </h1>
      <nav className="stepper baseline cluster-4-16 no-print" aria-label="Parts of this lesson">
        <ol className="cluster-4">
          {stops.map((stop, index) => (
            <li key={stop.screen}>
              <a
                href={addressOf(lessonRoute(lesson.id, stop.screen))}
                aria-current={stop.screen === screen ? 'step' : undefined}
              >
                <span aria-hidden="true">{index + 1}</span> {stop.label}
              </a>
            </li>
          ))}
        </ol>
        {bench && (
          <a className="stepper-bench small" href={addressOf(bench)}>
            All controls
          </a>
        )}
      </nav>
    </header>
    {children}
    <PrintedText lesson={lesson} />
  </article>
)
