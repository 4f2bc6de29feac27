/** Modules that vite/words-md.ts makes of the files verdict.md. */
declare module '*/verdict.md' {
  // An ambient module cannot import by a relative path; an import type can.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const rules: readonly import('./declare/experiment').Rule[]
}
