/**
 * Waits until something holds: for as long as a busy machine may need, not for the second that
 * Vitest waits by itself.
 */
import { vi } from 'vitest'

const MOST_MS = 30_000

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: MOST_MS })
