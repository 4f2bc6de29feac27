/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  derived,
  metric,
  recording,
  all,
  measured,
  reason,
  defineEvidence,
  pair,
  named,
  words,
} from '../../text/define-figures'

/** Points of GPipe with as many layers on each GPU, to be found by micro-batches. */
const EVEN = 'points[schedule=gpipe&stages=4,4,4,4&microBatches='
const UNEVEN = 'points[schedule=gpipe&stages=6,4,4,2&microBatches='
const torch = recording('torch-pipeline-bubble')
const steps = recording('torch-steps')
const whole = steps('pipeline-bubble.whole.stepMs')
const four = steps('pipeline-bubble.four.stepMs')
const sixteen = steps('pipeline-bubble.sixteen.stepMs')

const bubble = metric('bubble-ratio')
const predicted = metric('predicted-ratio')
const step = metric('step-ms')

export const figures = defineFigures({
  torchBubbleAt8: torch(`${EVEN}8].bubbleRatio`),
  torchBubbleAt16: torch(`${EVEN}16].bubbleRatio`),
  torchRanks: torch('ranks'),
  torchModelAt8: torch(`${EVEN}8].modelRatio`),
  hasBubbleGpipe8: measured(bubble('gpipe-8'), predicted('gpipe-8')),
  ...named({ bubble, predicted }, 'gpipe-8', 'gpipe-32'),
  asTooFewCores: reason('too-few-cores'),
  cores: derived('cores'),
  hasBubblesOf32: measured(bubble('gpipe-32'), predicted('gpipe-32')),
  stepBestBelowMany: all(measured(bubble('$onemany')), step('$onebest').below(step('$onemany'))),
  ...words('best', 'many'),
  ...named({ step }, '$onebest', '$onemany'),
  hasStepOnemany: measured(step('$onemany')),
  torchStepLongerWith64: torch(`${EVEN}16].stepMs`).below(torch(`${EVEN}64].stepMs`)),
  torchStepAt1: torch(`${EVEN}1].stepMs`),
  torchStepAt2: torch(`${EVEN}2].stepMs`),
  torchStepAt4: torch(`${EVEN}4].stepMs`),
  torchStepAt8: torch(`${EVEN}8].stepMs`),
  torchUneven: torch(`${UNEVEN}8].stepMs`),
  torchStepAt16: torch(`${EVEN}16].stepMs`),
  torchStepAt32: torch(`${EVEN}32].stepMs`),
  torchStepAt64: torch(`${EVEN}64].stepMs`),
  torchWholeStep: whole,
  fourIsFaster: four.below(whole),
  torchFourStep: four,
  sixteenIsFaster: sixteen.below(four),
  torchSixteenStep: sixteen,
})

export const evidence = defineEvidence({
  // The pair has the same sixteen layers on four GPUs, shared out as 6, 4, 4 and 2, and evenly.
  unevenStages: pair(torch(`${UNEVEN}8].stepMs`), torch(`${EVEN}8].stepMs`)),
})
