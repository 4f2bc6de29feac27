/** Lessons by what they mend, as the heads of their files say. */
import { lessonHeads } from '../vite/words/lesson-heads'

const lessons = lessonHeads()

/** Id of the lesson; null: there is none. @param mends a cause, or a verdict */
export const lessonThatMends = (mends: string): string | null =>
  lessons.find((lesson) => lesson.mends.includes(mends))?.id ?? null
