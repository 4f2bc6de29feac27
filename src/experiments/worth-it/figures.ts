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
const kernelShare = metric('kernel-share')

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
/** The CPU is ahead at one end of the sizes, the device at the other. */
const endsApart = all(time('$cpuFirst').below(time('$tripFirst')), time('$tripLast').below(time('$cpuLast')))

export const figures = defineFigures({
  ...words('askedSize', 'first', 'last', 'library', 'threads', 'poorly', 'leftOut', 'largest'),
  ...named({ time }, '$asked', '$cpuFirst', '$tripFirst', '$cpuLast', '$tripLast'),
  ...named({ kernelShare, wait: metric('wait-ms') }, '$asked'),
  ...named({ gflops }, '$residentTop', '$cpuTop'),
  kernelShareTripLast: kernelShare('$tripLast'),
  crossoverNRoundTrip: crossoverN('round-trip'),
  crossoverNRoundTripAbout: crossoverN('round-trip').as('about'),
  nothingToCompare: not(measured(time('$cpuLast'), time('$tripLast'))),
  deviceAhead,
  cpuAlwaysWins: all(cpuAhead, any(software, computesNoFaster)),
  cpuAhead,
  tellsNothing: not(all(crosses, endsApart)),
  computesBriefly: kernelShare('$tripLast').surelyLessThan(0.5),
})
