/**
 * An object with keys, as JSON has them: no array and not null. Types alone do not say what a file
 * or a worker sent.
 */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
