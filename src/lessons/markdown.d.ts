/** Modules that vite/words-md.ts makes of the files of words. */
declare module '*/lesson.md' {
  // An ambient module cannot import by a relative path; an import type can.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const words: import('./lesson').LessonWords
}
declare module '*/glossary.md' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section[]
}
declare module '*/method.md' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section<string | import('../text/template').Table>[]
}
declare module '*/reference.md' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').Section<string | import('../text/template').Table>[]
}
declare module '*/questions.md' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- as above
  export const sections: readonly import('./lesson').SectionWithCode[]
}
declare module '*/mend.md' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- as above
  export const mend: import('../exercises/exercise').ExerciseFile
}
