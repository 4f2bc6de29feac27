/**
 * For what only a bug can break: throws, in every build. What may rightly happen is a Result or a
 * Fault instead.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
