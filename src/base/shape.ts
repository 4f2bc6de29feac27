/**
 * Checks on data from outside (a file, a link): each checker gives null, or what is wrong and where, and its type says what passes
 * (`TypeOf`). Small on purpose: it checks what later code relies on, and lets additional properties pass.
 */
export type Check<T = unknown> = ((value: unknown, path: string) => string | null) & {
  /** Never there at run time: what passes the check, for `TypeOf`. */
  readonly passes?: T
}
export type TypeOf<C> = C extends Check<infer T> ? T : never

type Shape = Readonly<Record<string, Check>>
type OptionalKey<S extends Shape> = {
  [K in keyof S]: undefined extends TypeOf<S[K]> ? K : never
}[keyof S]
type ObjectOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKey<S>>]: TypeOf<S[K]>
} & { readonly [K in OptionalKey<S>]?: Exclude<TypeOf<S[K]>, undefined> }

export const passes = <T>(check: Check<T>, value: unknown): value is T => check(value, '') === null

const wrong = (path: string, wanted: string) => `${path} is not ${wanted}`

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text: Check<string> = (value, path) => (typeof value === 'string' ? null : wrong(path, 'text'))
export const flag: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? null : wrong(path, 'true or false')
/** Finite: JSON has no other numbers, but a mutated exponent overflows. */
export const number: Check<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? null : wrong(path, 'a number')
/** A whole number from 0 to below `limit`. */
export const index =
  (limit: number): Check<number> =>
  (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit
      ? null
      : wrong(path, `a whole number below ${String(limit)}`)

export const oneOf =
  <const Options extends readonly unknown[]>(...options: Options): Check<Options[number]> =>
  (value, path) =>
    options.includes(value) ? null : wrong(path, `one of ${options.join(', ')}`)

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path) =>
    value === null ? null : check(value, path)

export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value, path) =>
    value === undefined ? null : check(value, path)

export const list =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) return wrong(path, 'a list')
    for (const [at, element] of value.entries()) {
      const problem = check(element, `${path}[${String(at)}]`)
      if (problem) return problem
    }
    return null
  }

/** An object whose every value passes. */
export const dictionary =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value, path) => {
    if (!isRecord(value)) return wrong(path, 'an object')
    for (const [key, element] of Object.entries(value)) {
      const problem = check(element, `${path}.${key}`)
      if (problem) return problem
    }
    return null
  }

/** An object with at least these properties. */
export const object =
  <S extends Shape>(shape: S): Check<ObjectOf<S>> =>
  (value, path) => {
    if (!isRecord(value)) return wrong(path, 'an object')
    for (const [key, check] of Object.entries(shape)) {
      const problem = check(value[key], `${path}.${key}`)
      if (problem) return problem
    }
    return null
  }

export const either =
  <Checks extends readonly Check[]>(...checks: Checks): Check<TypeOf<Checks[number]>> =>
  (value, path) => {
    const problems = checks.map((check) => check(value, path))
    return problems.includes(null) ? null : problems.join(', and ')
  }
