/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  metric,
  param,
  us,
  all,
  any,
  measured,
  paramIs,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const step = metric('step-ms')
const hostFree = metric('host-free-ratio')
const kernel = metric('kernel-ms')
const submit = metric('submit-us')
const encode = metric('encode-us')
const queueDepthMax = metric('queue-depth-max')
const completionLag = metric('completion-lag-ms')

/** The host must be free for at least half of the run. */
const MOSTLY_FREE = 0.5
/**
 * A kernel must last some times what submitting it costs, or the device waits for the host instead.
 */
const LONG_ENOUGH = 3
/** A call shorter than this share of the kernel returned before the kernel ended. */
const RETURNS_EARLY = 0.5
/** A call shorter than this cannot be distinguished from none. */
const HALF_A_MICROSECOND = us(0.5)

const queueingIsFaster = step('queued').below(step('await-each'))
const noDifference = step('queued').overlaps(step('await-each'))

const work = kernel('queued').or(step('queued'))

export const figures = defineFigures({
  workOverSubmit: work.over(submit('queued')).as('at-least'),
  ...named({ hostFree, encode, submit, kernel, queueDepthMax }, 'queued'),
  submitQueuedBelowHalfAMicrosecond: submit('queued').lessThan(HALF_A_MICROSECOND),
  queueingIsFaster,
  ...named({ step }, 'await-each', 'queued'),
  noDifference,
  stepAwaitEachBelowQueued: step('await-each').below(step('queued')),
  hasCompletionLagLagging: measured(completionLag('$lagging')),
  completionLagLagging: completionLag('$lagging'),
  submitBlocked: submit('queued').over(work).atLeast(RETURNS_EARLY),
  kernelTooShort: work.over(submit('queued').plus(encode('queued'))).lessThan(LONG_ENOUGH),
  hasKernelQueued: measured(kernel('queued')),
  hostIsBusy: hostFree('queued').surelyLessThan(MOSTLY_FREE),
  queueStayedEmpty: all(queueDepthMax('queued').lessThan(2), param('steps').atLeast(2)),
  hostRunsAhead: all(
    hostFree('queued').surelyAtLeast(MOSTLY_FREE),
    measured(submit('queued'), step('queued')),
    any(queueDepthMax('queued').atLeast(2), paramIs('steps', 1)),
  ),
  intervalsOverlap: measured(hostFree('queued'), step('queued')),
})

export const evidence = defineEvidence({
  waitingEmptiesTheQueue: pair(step('await-each'), step('queued')),
})
