import type { RunInfo } from '../src/trace/schema'

/**
 * Who records what, to see where the cost lies. 'stamps alone', 'questions alone' and 'both alone': no session; the program itself makes
 * the WebGPU calls that a recorder needs (two timestamps a pass, onSubmittedWorkDone() after each submit()), which no recorder can cost
 * less than. 'paused': patched, recording nothing. 'no stamps': recorded without timestamps. 'page' and 'page, no stamps': by recorder.js.
 */
export const ARMS = [
  'bare',
  'stamps alone',
  'questions alone',
  'both alone',
  'paused',
  'no stamps',
  'recorded',
  'page, no stamps',
  'page',
] as const
export type Arm = (typeof ARMS)[number]

/** What a recording says of itself. */
export const BENCH_INFO: RunInfo = {
  experiment: 'bench',
  params: {},
  derived: {},
  adapter: null,
  userAgent: '',
  crossOriginIsolated: true,
  startedAt: '',
  origin: 'live',
}
