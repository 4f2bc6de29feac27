/** Figures and conditions of verdict.md. */
import { defineFigures, metric } from '../../text/define-figures'

const step = metric('step-ms')

export const figures = defineFigures({
  stepAwaited: step('awaited'),
  stepQueued: step('queued'),
  waitingCosts: step('queued').below(step('awaited')),
})
