/** Modules that vite/ makes while the site is built. */
declare module '*?highlight' {
  /** Lines of tokens: plain text, or [text, kind]. */
  const lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
  export default lines
}

declare module 'virtual:lesson-index' {
  import type { Lesson } from '../lessons/lesson'

  export interface LessonHead extends Pick<
    Lesson,
    'id' | 'number' | 'title' | 'question' | 'measures' | 'minutes' | 'experiment'
  > {
    readonly metric: Lesson['prediction']['metric']
    readonly unit: string
    readonly scale: number
    /** How many why-questions it asks. */
    readonly questions: number
  }
  export const lessonIndex: readonly LessonHead[]
}
