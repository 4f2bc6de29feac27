/** Figures and conditions of verdict.md. */
import {
  all,
  any,
  defineFigures,
  measured,
  metric,
  not,
  param,
  software,
  word,
} from '../../text/define-figures'

const crossoverN = metric('crossover-n')
const time = metric('time-ms')
const gflops = metric('gflops')
const ruleFactor = metric('rule-factor')
const ruleLatencyFactor = metric('rule-latency-factor')
const ruleComputeFactor = metric('rule-compute-factor')
const kernelShare = metric('kernel-share')
const otherWait = metric('other-wait-ms')
const fill = metric('fill-ms')
const read = metric('read-ms')
const ruleN = metric('rule-n')
const uploadRate = metric('upload-gb-per-s')
const readbackRate = metric('readback-gb-per-s')
const ruleComputeN = metric('rule-compute-n')
const latency = metric('latency-ms')
const ruleLatencyN = metric('rule-latency-n')

/** A rule that is right to within a factor of 1.5 serves. */
const RIGHT_FROM = 1 / 1.5
/** The same, to the other side. */
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
const cpuSlowerNear = gflops('$cpuNear').below(gflops('$cpuTop'))
const tellsNothing = not(all(crosses, measured(time('$cpuWins'), time('$deviceWins'))))
const savedNear = all(
  ruleFactor('round-trip').atLeast(RIGHT_FROM),
  not(ruleFactor('round-trip').atLeast(RIGHT_TO)),
)
const latencyNear = all(
  ruleLatencyFactor('round-trip').atLeast(RIGHT_FROM),
  not(ruleLatencyFactor('round-trip').atLeast(RIGHT_TO)),
)
const computedNear = all(
  ruleComputeFactor('round-trip').atLeast(RIGHT_FROM),
  not(ruleComputeFactor('round-trip').atLeast(RIGHT_TO)),
)
const savedMayBeRight = not(
  any(ruleFactor('round-trip').surelyAtLeast(1), ruleFactor('round-trip').surelyLessThan(1)),
)
const computedMayBeRight = not(
  any(ruleComputeFactor('round-trip').surelyAtLeast(1), ruleComputeFactor('round-trip').surelyLessThan(1)),
)

export const figures = defineFigures({
  askedSize: word('askedSize'),
  timeAsked: time('$asked'),
  kernelShareAsked: kernelShare('$asked'),
  otherWaitAsked: otherWait('$asked'),
  fillAsked: fill('$asked'),
  readAsked: read('$asked'),
  first: word('first'),
  operation: word('operation'),
  timeCpuFirst: time('$cpuFirst'),
  timeTripFirst: time('$tripFirst'),
  last: word('last'),
  timeCpuLast: time('$cpuLast'),
  timeTripLast: time('$tripLast'),
  crossoverNRoundTrip: crossoverN('round-trip'),
  timeStaysBelowGoes: time('$stays').below(time('$goes')),
  timeStays: time('$stays'),
  staysSize: word('staysSize'),
  timeGoes: time('$goes'),
  timeGoesOverStays: time('$goes').over(time('$stays')).as('times'),
  crossoverNResident: crossoverN('resident'),
  deviceNeedsMoreWork: all(
    not(software),
    gflops('$residentFirst')
      .over(gflops('$residentTop'))
      .below(gflops('$cpuFirst').over(gflops('$cpuTop'))),
  ),
  gflopsResidentTop: gflops('$residentTop'),
  residentTopSize: word('residentTopSize'),
  residentFirstSize: word('residentFirstSize'),
  residentShareOfTop: gflops('$residentFirst').over(gflops('$residentTop')),
  gflopsCpuFirstOverCpuTop: gflops('$cpuFirst').over(gflops('$cpuTop')),
  ruleNRoundTrip: ruleN('round-trip'),
  ruleFactorRoundTrip: ruleFactor('round-trip').as('times'),
  uploadRateUpload: uploadRate('upload'),
  readbackRateReadback: readbackRate('readback'),
  ruleComputeNRoundTrip: ruleComputeN('round-trip'),
  computedNear,
  computedMayBeRight,
  ruleComputeFactorRoundTrip: ruleComputeFactor('round-trip').as('times'),
  alphaSize: word('alphaSize'),
  latencyRoundTrip: latency('round-trip'),
  ruleLatencyNRoundTrip: ruleLatencyN('round-trip'),
  cpuSlowerNear,
  gflopsCpuTop: gflops('$cpuTop'),
  nearSize: word('nearSize'),
  gflopsCpuNear: gflops('$cpuNear'),
  ruleLatencyFactorRoundTrip: ruleLatencyFactor('round-trip').as('times'),
  usesBelow2: param('uses').lessThan(2),
  uses: param('uses'),
  library: word('library'),
  threads: word('threads'),
  poorly: word('poorly'),
  tooSlow: word('tooSlow'),
  skipped: word('skipped'),
  crossoverNRoundTripAbout: crossoverN('round-trip').as('about'),
  ruleNRoundTripAbout: ruleN('round-trip').as('about'),
  ruleComputeNRoundTripAbout: ruleComputeN('round-trip').as('about'),
  nothingToCompare: not(measured(time('$cpuLast'), time('$tripLast'))),
  deviceAhead,
  cpuAlwaysWins: all(cpuAhead, any(software, computesNoFaster)),
  largest: word('largest'),
  cpuAhead,
  gflopsCpuTopBelowResidentTop: gflops('$cpuTop').below(gflops('$residentTop')),
  tellsNothing,
  hasTimeCpuWinsAndNoTimeDeviceWins: all(measured(time('$cpuWins')), not(measured(time('$deviceWins')))),
  cpuWinsSize: word('cpuWinsSize'),
  hasTimeDeviceWinsAndNoTimeCpuWins: all(measured(time('$deviceWins')), not(measured(time('$cpuWins')))),
  deviceWinsSize: word('deviceWinsSize'),
  ruleUnknown: not(measured(ruleFactor('round-trip'))),
  computesNoFaster,
  savedNear,
  ruleNRoundTripLikeLatencyNRoundTrip: ruleN('round-trip').overlaps(ruleLatencyN('round-trip')),
  ruleNRoundTripBelowLatencyNRoundTrip: ruleN('round-trip').below(ruleLatencyN('round-trip')),
  latencyRuleOverRule: ruleLatencyN('round-trip').over(ruleN('round-trip')).as('times'),
  savedMayBeRight,
  latencyNear,
  ruleLatencyNRoundTripAbout: ruleLatencyN('round-trip').as('about'),
})
