/**
 * A tuner's bench without a device: candidates take the times they are given, on a clock that only
 * their runs advance.
 */
import type { MatmulKernel } from '../../../../src/gpu/kernels/catalog'
import type { Candidate } from '../candidates'
import type { TrialResult, TrialBench } from '../trial'

export interface FakeRun {
  readonly ms: number
  /** Time of each sample over `ms`, in turn. */
  readonly noise?: readonly number[]
  readonly compileFault?: string
  /** From so many checks on, the result is wrong. */
  readonly wrongFromCheck?: number
  readonly sampleFault?: string
}

const DISPATCHES_PER_SAMPLE = 10
const COMPILE_MS = 5
export const FAKE_FLOPS = 1e6

export const fakeCandidate = (label: string, rank: number, padding = 1): Candidate => ({
  kernel: { id: label.split(' ')[0] ?? label } as MatmulKernel,
  label,
  rank,
  padding,
  expected: rank,
})

export function fakeBench(runs: Readonly<Record<string, FakeRun>>, compileMs = COMPILE_MS) {
  let nowMs = 0
  const calls: string[] = []
  const checks = new Map<string, number>()
  const samples = new Map<string, number>()
  const runOf = ({ label }: Candidate): FakeRun => {
    const run = runs[label]
    if (!run) throw new Error(`no run for ${label}`)
    return run
  }
  const count = (counts: Map<string, number>, label: string): number => {
    const before = counts.get(label) ?? 0
    counts.set(label, before + 1)
    return before
  }
  const bench: TrialBench = {
    flops: FAKE_FLOPS,
    elapsedMs: () => nowMs,
    compile: (candidates) => {
      nowMs += compileMs * candidates.length
      calls.push(...candidates.map(({ label }) => `compile ${label}`))
      return Promise.resolve(candidates.map((candidate) => runOf(candidate).compileFault ?? null))
    },
    warmUp: ({ label }) => {
      calls.push(`warm up ${label}`)
      return Promise.resolve()
    },
    estimateMs: (candidate) => {
      nowMs += runOf(candidate).ms / 16
      calls.push(`foretell ${candidate.label}`)
      return Promise.resolve(runOf(candidate).ms)
    },
    check: (candidate): Promise<TrialResult> => {
      const { ms, wrongFromCheck = Infinity } = runOf(candidate)
      nowMs += ms
      calls.push(`check ${candidate.label}`)
      return Promise.resolve(
        count(checks, candidate.label) >= wrongFromCheck
          ? { ok: false, outcome: 'wrong-result', reason: '3 of 48 sampled entries are wrong.' }
          : { ok: true, ms },
      )
    },
    sample: (candidate): Promise<TrialResult> => {
      const { ms, noise = [1], sampleFault } = runOf(candidate)
      nowMs += ms * DISPATCHES_PER_SAMPLE
      calls.push(`sample ${candidate.label}`)
      const factor = noise[count(samples, candidate.label) % noise.length] ?? 1
      return Promise.resolve(
        sampleFault === undefined
          ? { ok: true, ms: ms * factor }
          : { ok: false, outcome: 'failed', reason: sampleFault },
      )
    },
  }
  return { bench, calls }
}
