/** Modules that vite/ makes while the site is built. */
declare module '*?highlight' {
  /** Lines of tokens: plain text, or [text, kind]. */
  export const lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
}

declare module 'virtual:lesson-index' {
  // An ambient module cannot import by a relative path; an import type can.
  // oxlint-disable-next-line typescript/consistent-type-imports
  type Lesson = import('../../lessons/lesson').Lesson

  export interface LessonHead extends Pick<
    Lesson,
    'id' | 'kind' | 'number' | 'question' | 'measures' | 'minutes' | 'part' | 'recommended' | 'mends'
  > {
    readonly unit: string
    readonly scale: number
    /** How many why-questions it asks. */
    readonly questions: number
    readonly hasExercise: boolean
    /** Of its recording, as a file of the built site: 'thumbnails/ID.svg'. */
    readonly hasThumbnail: boolean
    /** In how many profiles a line at fault is to be found. */
    readonly profiles: number
  }
  export const lessonIndex: readonly LessonHead[]
}

declare module 'virtual:first-question' {
  // oxlint-disable-next-line typescript/consistent-type-imports
  type Lesson = import('../../lessons/lesson').ExperimentLesson

  export type FirstQuestion = Pick<Lesson, 'id' | 'ask' | 'prediction'> & {
    // oxlint-disable-next-line typescript/consistent-type-imports
    readonly intro: import('../../text/template').Prose
  }
  /** Of the first lesson; null where that one runs nothing. */
  export const firstQuestion: FirstQuestion | null
  /** On what its recorded run, as 'thumbnails/replay.svg' draws it, was recorded; null: there is none. */
  export const recordedOn: string | null
}

declare module 'virtual:cuda-loops' {
  /** Of choices (vite/words/choices.ts). */
  export const cudaLoops: readonly { readonly title: string; readonly file: string }[]
}

declare module 'virtual:find-days' {
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const findDays: readonly import('../state/find-day').FindDay[]
}

declare module 'virtual:question-index' {
  export interface QuestionHead {
    readonly id: string
    readonly heading: string
    readonly group: string
    /** Where it is measured; null: not in a lesson. */
    readonly lesson: string | null
  }
  export const questionIndex: readonly QuestionHead[]
}

declare module 'virtual:search-index' {
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const searchIndex: readonly import('../state/search').Entry[]
}

declare module 'virtual:question-figures' {
  export interface QuestionFigure {
    readonly device: string
    readonly date: string
    /** Of 'thumbnails/', without its ending. */
    readonly picture: string
    /** What is in it. */
    // oxlint-disable-next-line typescript/consistent-type-imports
    readonly key: readonly import('../../strips/marks').KeyEntry[]
    /** Its metric, and the words before its value. */
    readonly figure: string
    readonly words: string
    readonly rows: readonly {
      readonly variant: string
      readonly value: number
      // oxlint-disable-next-line typescript/consistent-type-imports
      readonly unit: import('../../trace/report').Metric['unit']
    }[]
  }
  /** By the id of a lesson. */
  export const questionFigures: Readonly<Record<string, QuestionFigure | undefined>>
}

declare module 'virtual:home-questions' {
  /** The first of each group. */
  export const homeQuestions: readonly { readonly id: string; readonly heading: string }[]
  /** How many there are in all. */
  export const questionCount: number
}

declare module 'virtual:lesson-goals' {
  /** The objectives of each lesson, by its id. */
  export const lessonGoals: Readonly<Record<string, readonly string[]>>
}

declare module 'virtual:library-recordings' {
  interface LibraryRecording {
    readonly id: string
    /** In public/recordings/. */
    readonly file: string
    /** With its version. */
    readonly title: string
    readonly licence: string
    readonly adapter: string
    readonly day: string
    readonly does: string
    /** What its page said of its result. */
    readonly checked: string
    readonly paragraph: string
    /** Of the library, at fault: 'three.webgpu.js:1 (draw)'. */
    readonly lines: readonly string[]
  }
  export const libraries: readonly LibraryRecording[]
}

declare module 'virtual:recorded-page' {
  /** Address of the repository that the site was built from; '': not known. */
  export const repository: string
  /** What `lab record` printed of the kept recording, held to `failIf`; and on what it was recorded. */
  export const text: string
  export const failIf: string
  export const adapter: string
  export const isSoftware: boolean
}

declare module 'virtual:recordings' {
  /** Names in public/recordings/: 'LESSON.hdl.gz', 'LESSON/STEP.hdl.gz'. */
  export const recordings: readonly string[]
  /** Of all of them together; stands in their addresses. */
  export const version: string
}
