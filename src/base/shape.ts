/**
 * Checks on data from outside (a file, a link): each checker gives null, or what is wrong and where. Small on purpose: it checks
 * what later code relies on, and lets additional properties pass.
 */
export type Check = (value: unknown, path: string) => string | null

const wrong = (path: string, wanted: string) => `${path} is not ${wanted}`

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text: Check = (value, path) => (typeof value === 'string' ? null : wrong(path, 'text'))
export const flag: Check = (value, path) => (typeof value === 'boolean' ? null : wrong(path, 'true or false'))
/** Finite: JSON has no other numbers, but a mutated exponent overflows. */
export const number: Check = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? null : wrong(path, 'a number')
/** A whole number from 0 to below `limit`. */
export const index =
  (limit: number): Check =>
  (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit
      ? null
      : wrong(path, `a whole number below ${String(limit)}`)

export const oneOf =
  (...options: readonly unknown[]): Check =>
  (value, path) =>
    options.includes(value) ? null : wrong(path, `one of ${options.join(', ')}`)

export const nullable =
  (check: Check): Check =>
  (value, path) =>
    value === null ? null : check(value, path)

export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? null : check(value, path)

export const list =
  (check: Check): Check =>
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
  (check: Check): Check =>
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
  (shape: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isRecord(value)) return wrong(path, 'an object')
    for (const [key, check] of Object.entries(shape)) {
      const problem = check(value[key], `${path}.${key}`)
      if (problem) return problem
    }
    return null
  }

export const either =
  (...checks: readonly Check[]): Check =>
  (value, path) => {
    const problems = checks.map((check) => check(value, path))
    return problems.includes(null) ? null : problems.join(', and ')
  }
