/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  max,
  metric,
  recording,
  all,
  recorded,
  defineEvidence,
  pair,
  parts,
  named,
} from '../../text/define-figures'

const torchStep = recording('torch-sync-stalls-step')
const firstRun = recording('sync-stalls')
const torchLoops = recording('torch-steps')

const step = metric('step-ms')
const host = metric('host-ms')
const device = metric('device-ms')
const stall = metric('stall-ms')
const slowdown = metric('slowdown')

const slower = step('never').below(step('every-step'))
/** Both go on at once: without reads a step takes little more than the longer of the two. */
const likeTheLonger = step('never')
  .over(max(host('never'), device('never')))
  .lessThan(1.25)
/** A time that is so many times the other is far from equal to it. */
const FAR = 2

const late = stall('every-step').minus(device('every-step'))

export const evidence = defineEvidence({
  readHoldsHost: pair(torchLoops('sync-stalls.item.stepMs'), torchLoops('sync-stalls.nothing.stepMs')),
  theyTakeTurns: parts(step('every-step'), [host('every-step'), stall('every-step')]),
})

const training = recording('torch-training-step')

export const figures = defineFigures({
  trainingLaunch: training('launchMs'),
  trainingDevice: training('deviceMs'),
  trainingRead: training('item.stepMs'),
  trainingFree: training('none.stepMs'),
  graphFree: training('graph.stepMs'),
  graphRead: training('graphItem.stepMs'),
  takesTurns: all(slower, slowdown('every-step').atLeast(1.5), likeTheLonger),
  gainsLittle: all(slower, slowdown('every-step').lessThan(1.5), likeTheLonger),
  slower,
  hostIsLonger: all(slower, likeTheLonger, host('never').over(device('never')).atLeast(FAR)),
  deviceIsLonger: all(slower, likeTheLonger, device('never').over(host('never')).atLeast(FAR)),
  kernelsRanSlower: all(recorded, firstRun('device-ms', 'every-step').below(device('every-step'))),
  ...named({ step }, 'never', 'every-step'),
  host: host('every-step'),
  device: device('every-step'),
  late,
  torchBusy: torchStep('points[launches=100&kernelUs=20&hostMs=2].deviceMs').over(
    torchStep('points[launches=100&kernelUs=20&hostMs=2].readMs'),
  ),
  torchDevice: torchStep('points[launches=100&kernelUs=20&hostMs=2].deviceMs'),
  torchReadStep: torchStep('points[launches=100&kernelUs=20&hostMs=2].readMs'),
  torchHost: torchStep('points[launches=100&kernelUs=20&hostMs=2].spunMs'),
  torchLaunch: torchStep('points[launches=100&kernelUs=20&hostMs=2].launchMs'),
  torchGain: torchStep('points[launches=100&kernelUs=20&hostMs=2].gain').as('times'),
  torchGainShort: torchStep('points[launches=100&kernelUs=20&hostMs=0].gain').as('times'),
  torchGainLong: torchStep('points[launches=100&kernelUs=20&hostMs=10].gain').as('times'),
  nothingStep: torchLoops('sync-stalls.nothing.stepMs'),
})
