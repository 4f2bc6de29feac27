/**
 * Shapes of data from outside (a file, a link) are valibot schemas: `v.is` tells whether a value
 * fits, and narrows its type to what was checked. The value itself is used on, not valibot's copy:
 * additional properties stay. Here is what valibot lacks.
 */
import * as v from 'valibot'
import { isRecord } from './is-record'

/** An object that is no list: valibot's own take one. */
export const record = v.custom<Readonly<Record<string, unknown>>>(isRecord)

/** Finite: JSON has no other numbers, but a mutated exponent overflows. */
export const number = v.pipe(v.number(), v.finite())

/** A whole number from 0, and exact. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** A whole number from 0 to below `limit`. */
export const index = (limit: number) => v.pipe(count, v.maxValue(limit - 1))

/**
 * An object whose every own value fits, also those named `constructor` or `__proto__`, over which
 * v.record passes.
 */
export const dictionary = <T>(each: v.GenericSchema<T>) =>
  v.custom<Readonly<Record<string, T>>>(
    (value) => isRecord(value) && Object.values(value).every((one) => v.is(each, one)),
  )

/** Where a value first differs from its schema: 'report.metrics.0.unit'; null: nowhere. */
export function problemIn(schema: v.GenericSchema, value: unknown): string | null {
  const [issue] = v.safeParse(schema, value, { abortEarly: true }).issues ?? []
  return issue ? (v.getDotPath(issue) ?? '') : null
}
