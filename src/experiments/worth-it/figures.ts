/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  metric,
  all,
  any,
  measured,
  not,
  software,
  named,
  words,
} from '../../text/define-figures'

const crossoverN = metric('crossover-n')
const time = metric('time-ms')
const gflops = metric('gflops')
const ruleFactor = metric('rule-factor')
const ruleLatencyFactor = metric('rule-latency-factor')
const ruleN = metric('rule-n')
const latency = metric('latency-ms')
const ruleLatencyN = metric('rule-latency-n')

/** A rule that is right to within a factor of 1.5 serves. */
const RIGHT_FROM = 1 / 1.5
/** Up to this factor, the rule is right. */
const RIGHT_TO = 1.5

const crosses = measured(crossoverN('round-trip'))
const deviceAhead = all(
  not(crosses),
  time('$tripLast').over(time('$cpuLast')).lessThan(1),
  time('$tripFirst').below(time('$cpuFirst')),
)
const cpuAhead = all(
  not(crosses),
  time('$tripLast').over(time('$cpuLast')).atLeast(1),
  time('$cpuLast').below(time('$tripLast')),
)
const computesNoFaster = any(
  gflops('$residentTop').overlaps(gflops('$cpuTop')),
  gflops('$residentTop').below(gflops('$cpuTop')),
)
const tellsNothing = not(all(crosses, measured(time('$cpuWins'), time('$deviceWins'))))
const savedNear = all(
  ruleFactor('round-trip').atLeast(RIGHT_FROM),
  not(ruleFactor('round-trip').atLeast(RIGHT_TO)),
)
const latencyNear = all(
  ruleLatencyFactor('round-trip').atLeast(RIGHT_FROM),
  not(ruleLatencyFactor('round-trip').atLeast(RIGHT_TO)),
)
const savedMayBeRight = not(
  any(ruleFactor('round-trip').surelyAtLeast(1), ruleFactor('round-trip').surelyLessThan(1)),
)

export const figures = defineFigures({
  ...words('askedSize', 'first', 'last', 'library', 'threads', 'poorly', 'tooSlow', 'skipped', 'largest'),
  ...named({ time }, '$asked', '$cpuFirst', '$tripFirst', '$cpuLast', '$tripLast'),
  ...named({ kernelShare: metric('kernel-share'), otherWait: metric('other-wait-ms') }, '$asked'),
  ...named(
    { crossoverN, ruleN, latency, ruleLatencyN, ruleComputeN: metric('rule-compute-n') },
    'round-trip',
  ),
  ...named({ gflops }, '$residentTop', '$cpuTop'),
  crossoverNRoundTripAbout: crossoverN('round-trip').as('about'),
  ruleNRoundTripAbout: ruleN('round-trip').as('about'),
  ruleLatencyNRoundTripAbout: ruleLatencyN('round-trip').as('about'),
  nothingToCompare: not(measured(time('$cpuLast'), time('$tripLast'))),
  deviceAhead,
  cpuAlwaysWins: all(cpuAhead, any(software, computesNoFaster)),
  cpuAhead,
  tellsNothing,
  ruleUnknown: not(measured(ruleFactor('round-trip'))),
  savedNear,
  savedMayBeRight,
  latencyNear,
})
