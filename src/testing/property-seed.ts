/**
 * Before every unit test file: properties (fast-check) begin from one seed, so that a commit passes or fails by what it holds and not by chance.
 * `FC_SEED=N` tries others: a property that fails there is a fault to mend, with its counterexample as a test.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 1) })
