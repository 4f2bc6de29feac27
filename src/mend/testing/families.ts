/** What kinds of wrong programs there are. */

/** Ways round a check, and honest mistakes. */
export const FAMILIES = [
  'kept results',
  'constants',
  'patched clocks',
  'skipped or double work',
  'timers',
  'forged values',
  'late work',
  'blinded waits',
  'stolen pipelines',
  'yields null',
  'mistake',
] as const
export type Family = (typeof FAMILIES)[number]

const ABSENT = /^-- ([a-z ]+): (.+)$/gm

/** Families that do not apply, and why. @throws Error where there is no such family. */
export const absentIn = (file: string): ReadonlyMap<Family, string> =>
  new Map(
    [...file.matchAll(ABSENT)].map(([line, name, why = '']) => {
      const family = FAMILIES.find((each) => each === name)
      if (family === undefined) throw new Error(`'${line}' names no family.`)
      return [family, why]
    }),
  )
