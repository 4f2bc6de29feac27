/** Modules that vite/ makes while the site is built. */
declare module '*?highlight' {
  /** Lines of tokens: plain text, or [text, kind]. */
  export const lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
}

declare module 'virtual:lesson-index' {
  // An ambient module cannot import by a relative path; an import type can.
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  type Lesson = import('../lessons/lesson').Lesson

  export interface LessonHead extends Pick<
    Lesson,
    'id' | 'kind' | 'number' | 'title' | 'question' | 'measures' | 'minutes' | 'mends'
  > {
    readonly unit: string
    readonly scale: number
    /** How many why-questions it asks. */
    readonly questions: number
    readonly hasMend: boolean
    /** In how many profiles a line at fault is to be found. */
    readonly profiles: number
  }
  export const lessonIndex: readonly LessonHead[]
}

declare module 'virtual:recordings' {
  /** Names in public/recordings/: 'LESSON.hdl.gz', 'LESSON/STEP.hdl.gz'. */
  export const recordings: readonly string[]
  /** Of all of them together; stands in their addresses. */
  export const version: string
}
