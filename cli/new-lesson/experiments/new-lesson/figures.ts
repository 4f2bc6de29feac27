/** Figures and conditions of verdict.md. */
import { defineFigures, metric } from '../../text/define-figures'

export const step = metric('step-ms')

export const figures = defineFigures({
  waitingCosts: step('queued').below(step('awaited')),
})
