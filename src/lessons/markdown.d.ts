/** Modules that vite/words-md.ts makes of the files of words. */
declare module '*/lesson.md' {
  // An ambient module cannot import by a relative path; an import type can.
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  export const words: import('./lesson').LessonWords
}
declare module '*/glossary.md' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section[]
}
declare module '*/method.md' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section[]
}
declare module '*/questions.md' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section[]
}
declare module '*/mend.md' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- as above
  export const words: import('../mend/words').MendWords
}
