/** The whole text of a lesson, behind the screen in view, while the page is printed. */
import type { Lesson } from '../../../lessons/lesson'
import { usePrinting } from '../use-printing'
import { LessonText } from './LessonText'

export const PrintedText = ({ lesson }: { readonly lesson: Lesson }) =>
  usePrinting() && <LessonText lesson={lesson} />
