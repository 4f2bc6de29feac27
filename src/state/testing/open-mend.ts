import type { OnModel } from '../../mend/types'
import type { OpenMend } from '../mend-store'

/** A mend as its page opens it. */
export const OPEN_MEND: OpenMend = {
  lesson: 'a',
  rung: 1,
  rungs: 1,
  ways: [],
  scope: null,
  isTimedOnModel: true,
  language: 'javascript',
  start: 'export default () => 1',
  reference: 'export default () => 2',
  words: { title: '', task: [], must: [], hints: [], pytorch: null, why: [] },
  figure: { words: '', unit: 'ratio', run: 'clean' },
}

/** What the model says of a program that did nothing to be drawn. */
export const SEEN_ON_MODEL: OnModel = {
  stop: null,
  plan: { n: 64 },
  trace: null,
  isUnknown: false,
  tookMs: 2,
  steps: 8,
  busy: 0.5,
}
