/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  metric,
  recording,
  all,
  measured,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const torchSteps = recording('torch-steps')
const allWork = torchSteps('streams-and-events.all-work.stepMs')
const ownEvent = torchSteps('streams-and-events.own-event.stepMs')
const eventBefore = torchSteps('streams-and-events.event-before.stepMs')
const torch = recording('torch-streams-and-events')

const firstResult = metric('first-result-ms')
const allOf = metric('all-ms')
const kernel = metric('kernel-ms')
const refused = metric('refused')
const slowdown = metric('slowdown')

export const evidence = defineEvidence({
  waitOrdersStreams: pair(torch('race.forgottenWrong'), torch('race.eventWrong')),
})

export const figures = defineFigures({
  twoStreamsShare: torch('points[n=4096].twoMs').over(torch('points[n=4096].oneMs')),
  oneStream: torch('points[n=4096].oneMs'),
  twoStreams: torch('points[n=4096].twoMs'),
  oneStreamWithRoom: torch('points[n=1024].oneMs'),
  twoStreamsWithRoom: torch('points[n=1024].twoMs'),
  oneStreamShort: torch('points[n=128].oneMs'),
  twoStreamsShort: torch('points[n=128].twoMs'),
  firstByEvent: torch('first.firstMs'),
  allByEvents: torch('first.allMs'),
  wrongWithoutWait: torch('race.forgottenWrong').over(torch('race.checked')),
  wrongAfterReuse: torch('recordStream.withoutWrong').over(torch('recordStream.checked')),
  allWaitOneBelowTwoDevices: allOf('wait-one').below(allOf('two-devices')),
  allTwoDevicesBelowWaitOne: allOf('two-devices').below(allOf('wait-one')),
  ...named({ all: allOf, kernel }, 'two-devices', 'wait-one'),
  twoDevicesGainNothing: slowdown('two-devices').surelyAtLeast(0.9),
  twoDevicesGain: slowdown('two-devices').surelyLessThan(0.9),
  firstResultIsSoon: firstResult('wait-one').over(kernel('wait-one')).lessThan(2),
  hasFirstResult: measured(firstResult('wait-one'), allOf('wait-one')),
  ...named({ firstResult }, 'wait-one', 'wait-all'),
  firstResultWaitOneBelowWaitAll: firstResult('wait-one').below(firstResult('wait-all')),
  kernelWaitOneBelowTwoDevices: kernel('wait-one').below(kernel('two-devices')),
  slowdownTwoDevicesAtLeast80Percent: slowdown('two-devices').surelyAtLeast(0.8),
  refusedRaceAtLeast1: refused('race').atLeast(1),
  ...named({ refused, waited: metric('waited') }, 'race'),
  eventBeforeIsFastest: all(eventBefore.below(ownEvent), eventBefore.below(allWork)),
  allWorkStep: allWork,
  ownEventStep: ownEvent,
  eventBeforeStep: eventBefore,
})
