/**
 * Around every unit test file. Properties (fast-check) begin from one seed, so that a commit passes
 * or fails by what it holds and not by chance. `FC_SEED=N` tries others: a property that fails
 * there is a fault to mend, with its counterexample as a test.
 */
import fc from 'fast-check'
import { afterAll, afterEach, vi } from 'vitest'

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 1) })

// What a test puts in the place of a global, or of time, ends with it: files share a process.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

// Drawing a page begins to load its lazy parts. One cut off by the end of its file would fail to
// load in every later file of the process.
afterAll(() => vi.dynamicImportSettled())
