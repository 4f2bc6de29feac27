/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  derived,
  measured,
  metric,
  reason,
  recording,
  word,
} from '../../text/define-figures'

const torch = recording('torch-pipeline-bubble')
const torchWhole = recording('torch-pipeline-bubble-whole')
const torchFour = recording('torch-pipeline-bubble-four')
const torchSixteen = recording('torch-pipeline-bubble-sixteen')

const bubble = metric('bubble-ratio')
const predicted = metric('predicted-ratio')
const keptBytes = metric('kept-bytes')
const kept = metric('kept')
const step = metric('step-ms')

export const figures = defineFigures({
  torchBubbleAt8: torch('points[schedule=gpipe&stages=4,4&microBatches=8].bubbleRatio'),
  torchRanks: torch('ranks'),
  torchModelAt8: torch('points[schedule=gpipe&stages=4,4&microBatches=8].modelRatio'),
  hasBubbleGpipe1AndGpipe8: measured(bubble('gpipe-1'), bubble('gpipe-8')),
  bubbleGpipe1: bubble('gpipe-1'),
  bubbleGpipe8: bubble('gpipe-8'),
  hasBubbleGpipe8: measured(bubble('gpipe-8')),
  predictedGpipe8: predicted('gpipe-8'),
  asTooFewCores: reason('too-few-cores'),
  cores: derived('cores'),
  bubbleExceedsModel: bubble('gpipe-8').over(predicted('gpipe-8')).atLeast(1.25),
  bubbleMeetsModel: bubble('gpipe-8').over(predicted('gpipe-8')).atLeast(0.8),
  keptBytes1f1b8BelowGpipe8: keptBytes('1f1b-8').below(keptBytes('gpipe-8')),
  keptGpipe8: kept('gpipe-8'),
  keptBytesGpipe8: keptBytes('gpipe-8'),
  kept1f1b8: kept('1f1b-8'),
  keptBytes1f1b8: keptBytes('1f1b-8'),
  bubbleGpipe8Like1f1b8: bubble('gpipe-8').overlaps(bubble('1f1b-8')),
  bubble1f1b8: bubble('1f1b-8'),
  hasBubbleGpipe8AndBubble1f1b8: measured(bubble('gpipe-8'), bubble('1f1b-8')),
  hasPredictedGpipe8: measured(predicted('gpipe-8')),
  hasPredictedGpipe32AndGpipe1: measured(predicted('gpipe-32'), predicted('gpipe-1')),
  predictedGpipe1: predicted('gpipe-1'),
  predictedGpipe32: predicted('gpipe-32'),
  hasBubblesOf32: measured(bubble('gpipe-32'), bubble('1f1b-32')),
  bubbleGpipe32: bubble('gpipe-32'),
  bubble1f1b32: bubble('1f1b-32'),
  hasPredictedGpipe8AndPredicted1f1b8: measured(predicted('gpipe-8'), predicted('1f1b-8')),
  predicted1f1b8: predicted('1f1b-8'),
  needed: word('needed'),
  hasKept1f1b8: measured(kept('1f1b-8')),
  oneForwardOneBackIsShortest: all(measured(bubble('$onemany')), step('$onebest').below(step('$onemany'))),
  best: word('best'),
  stepOnebest: step('$onebest'),
  many: word('many'),
  stepOnemany: step('$onemany'),
  hasBubbleOnemanyAndStepOnebest: measured(bubble('$onemany'), step('$onebest')),
  stepOnefewBelowOnemany: step('$onefew').below(step('$onemany')),
  stepOnefew: step('$onefew'),
  few: word('few'),
  hasStepOnefewAndOnemany: measured(step('$onefew'), step('$onemany')),
  bubbleExceedsModelWithMany: bubble('$onemany').over(predicted('$onemany')).atLeast(1.25),
  bubbleOnemany: bubble('$onemany'),
  predictedOnemany: predicted('$onemany'),
  torchModelBelowBubbles: all(
    torch('points[schedule=gpipe&stages=4,4&microBatches=8].modelRatio').below(
      torch('points[schedule=gpipe&stages=4,4&microBatches=8].bubbleRatio'),
    ),
    torch('points[schedule=gpipe&stages=4,4&microBatches=32].bubbleRatio').below(
      torch('points[schedule=gpipe&stages=4,4&microBatches=8].bubbleRatio'),
    ),
  ),
  torchModelAt1: torch('points[schedule=gpipe&stages=4,4&microBatches=1].modelRatio'),
  torchModelAt32: torch('points[schedule=gpipe&stages=4,4&microBatches=32].modelRatio'),
  torchBubbleAt1: torch('points[schedule=gpipe&stages=4,4&microBatches=1].bubbleRatio'),
  torchBubbleAt2: torch('points[schedule=gpipe&stages=4,4&microBatches=2].bubbleRatio'),
  torchBubbleAt4: torch('points[schedule=gpipe&stages=4,4&microBatches=4].bubbleRatio'),
  torchBubbleAt16: torch('points[schedule=gpipe&stages=4,4&microBatches=16].bubbleRatio'),
  torchBubbleAt32: torch('points[schedule=gpipe&stages=4,4&microBatches=32].bubbleRatio'),
  torchRows: torch('rows'),
  torchStepLongerWith32: torch('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs').below(
    torch('points[schedule=gpipe&stages=4,4&microBatches=32].stepMs'),
  ),
  torchStepAt8: torch('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs'),
  torchStepAt32: torch('points[schedule=gpipe&stages=4,4&microBatches=32].stepMs'),
  torchStepAt1: torch('points[schedule=gpipe&stages=4,4&microBatches=1].stepMs'),
  torchStepAt2: torch('points[schedule=gpipe&stages=4,4&microBatches=2].stepMs'),
  torchStepAt4: torch('points[schedule=gpipe&stages=4,4&microBatches=4].stepMs'),
  torchStepAt16: torch('points[schedule=gpipe&stages=4,4&microBatches=16].stepMs'),
  torch1f1bKeepsLess: all(
    torch('points[schedule=1f1b&stages=4,4&microBatches=8].peakBytes[first]').below(
      torch('points[schedule=gpipe&stages=4,4&microBatches=8].peakBytes[first]'),
    ),
    torch('points[schedule=gpipe&stages=4,4&microBatches=8].bubbleRatio')
      .over(torch('points[schedule=1f1b&stages=4,4&microBatches=8].bubbleRatio'))
      .atLeast(0.95),
  ),
  torchStep1f1b: torch('points[schedule=1f1b&stages=4,4&microBatches=8].stepMs'),
  torchPeakGpipe: torch('points[schedule=gpipe&stages=4,4&microBatches=8].peakBytes[first]'),
  torchPeak1f1b: torch('points[schedule=1f1b&stages=4,4&microBatches=8].peakBytes[first]'),
  torchEvenBelowUneven: torch('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs').below(
    torch('points[schedule=gpipe&stages=6,2&microBatches=8].stepMs'),
  ),
  torchStepUneven: torch('points[schedule=gpipe&stages=6,2&microBatches=8].stepMs'),
  torch1f1bBelowGpipeUneven: torch('points[schedule=1f1b&stages=6,2&microBatches=8].stepMs').below(
    torch('points[schedule=gpipe&stages=6,2&microBatches=8].stepMs'),
  ),
  torchStep1f1bUneven: torch('points[schedule=1f1b&stages=6,2&microBatches=8].stepMs'),
  torchWholeKernelShareBelow50Percent: torchWhole('kernel-ratio').lessThan(0.5),
  torchWholeKernelShare: torchWhole('kernel-ratio'),
  torchFourStepBelowWholeStep: torchFour('step-ms').below(torchWhole('step-ms')),
  torchFourStep: torchFour('step-ms'),
  torchWholeStep: torchWhole('step-ms'),
  torchSixteenStepBelowFourStep: torchSixteen('step-ms').below(torchFour('step-ms')),
  torchSixteenStep: torchSixteen('step-ms'),
  torchSixteenKernelShare: torchSixteen('kernel-ratio'),
})
