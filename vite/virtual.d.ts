/** Modules that are made while the site is built. */
declare module '*?highlight' {
  /** Lines of tokens: plain text, or [text, kind]. */
  export const lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
}

// An ambient module cannot import by a relative path; an import type can.
// oxlint-disable-next-line typescript/consistent-type-imports
type SiteData = import('./site-data').SiteData

declare module 'virtual:find-days' {
  export const { findDays }: SiteData['find-days']
}
declare module 'virtual:first-question' {
  export const { firstQuestion, recordedOn }: SiteData['first-question']
}
declare module 'virtual:home-questions' {
  export const { homeQuestions, questionCount }: SiteData['home-questions']
}
declare module 'virtual:lesson-goals' {
  export const { lessonGoals }: SiteData['lesson-goals']
}
declare module 'virtual:lesson-index' {
  export const { lessonIndex }: SiteData['lesson-index']
  export type LessonHead = (typeof lessonIndex)[number]
}
declare module 'virtual:library-recordings' {
  export const { libraries }: SiteData['library-recordings']
}
declare module 'virtual:question-figures' {
  export const { questionFigures }: SiteData['question-figures']
}
declare module 'virtual:question-index' {
  export const { questionIndex }: SiteData['question-index']
  export type QuestionHead = (typeof questionIndex)[number]
}
declare module 'virtual:recorded-page' {
  export const { adapter, failIf, isSoftware, repository, text }: SiteData['recorded-page']
}
declare module 'virtual:recordings' {
  export const { recordings, version }: SiteData['recordings']
}
declare module 'virtual:search-index' {
  export const { searchIndex }: SiteData['search-index']
}
