/**
 * `npm run test:long` also tries what takes long and rarely fails alone: every one of a kind, and
 * more cases of a seed.
 */
export const IS_LONG = process.env['LAB_LONG'] === '1'

/** Of a kind of which `npm test` tries some. */
export const inShort = <T>(all: readonly T[], isKept: (each: T) => boolean): readonly T[] =>
  IS_LONG ? all : all.filter(isKept)
