import type { RunInfo } from '../src/trace/schema'

/** Who records what. 'stamps alone': the program itself takes the two timestamps a pass that no recorder can do without. 'page': by recorder.js. */
export const ARMS = ['bare', 'stamps alone', 'recorded', 'page'] as const
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
