/**
 * Shapes of data from outside (a file, a link) are valibot schemas: `v.is` tells whether a value
 * fits, and narrows its type to what was checked. The value itself is used on, not valibot's copy:
 * additional properties stay. Here is what valibot lacks.
 */
import * as v from 'valibot'

const recordOf = <T>() =>
  v.custom<Readonly<Record<string, T>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'is not an object',
  )

/** An object that is no list: valibot's own take one. */
export const record = recordOf<unknown>()

/** Finite: JSON has no other numbers, but a mutated exponent overflows. */
export const number = v.pipe(v.number(), v.finite('is not a number'))

/** A whole number from 0, and exact. */
export const count = v.pipe(
  v.number('is not a count'),
  v.safeInteger('is not a count'),
  v.minValue(0, 'is not a count'),
)

/** A whole number from 0 to below `limit`. */
export const index = (limit: number) => {
  const message = `is not a whole number below ${String(limit)}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(0, message), v.maxValue(limit - 1, message))
}

/**
 * An object whose every own value fits, also those named `constructor` or `__proto__`, over which
 * v.record passes.
 */
export const dictionary = <T>(each: v.GenericSchema<T>) =>
  v.pipe(
    recordOf<T>(), // the check below makes sure of T
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      for (const [key, value] of Object.entries(dataset.value)) {
        const [issue] = v.safeParse(each, value, { abortEarly: true, message }).issues ?? []
        if (!issue) continue
        const item = { type: 'object', origin: 'value', input: dataset.value, key, value } as const
        addIssue({ message: issue.message, path: [item, ...(issue.path ?? [])] })
        return
      }
    }),
  )

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'a list',
}

/** The message for a value whose schema has none; valibot writes choices as ("a" | "b"). */
function message({ expected, path }: v.BaseIssue<unknown>): string {
  if (path?.at(-1)?.origin === 'key') return 'is not there'
  const choices = (expected ?? '').replace(/[()"]/g, '').replaceAll(' | ', ', ')
  return `is not ${WANTED[choices] ?? `one of ${choices}`}`
}

/**
 * The first problem and its place, in one sentence: 'PATH is not …'. @param root path of the value
 * itself; '' for none
 */
export function problemIn(schema: v.GenericSchema, value: unknown, root = ''): string | null {
  const [issue] = v.safeParse(schema, value, { abortEarly: true, message }).issues ?? []
  if (!issue) return null
  const keys = (issue.path ?? []).map(({ type, key }) =>
    type === 'array' ? `[${String(key)}]` : `.${String(key)}`,
  )
  return `${`${root}${keys.join('')}`.replace(/^\./, '')} ${issue.message}`
}
