/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  metric,
  recording,
  all,
  reason,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const torch = recording('torch-starved-by-the-loader')
const steps = recording('torch-steps')
const four = recording('torch-starved-by-the-loader-four')

const make = metric('make-ms')
const step = metric('step-ms')

export const figures = defineFigures({
  torchMakeOverCompute: torch('makeMs').over(torch('computeMs')).as('times'),
  torchComputeShareAt1Worker: torch('computeMs').over(torch('points[workers=1].pinnedMs')),
  torchStepOverComputeAt1Worker: torch('points[workers=1].pinnedMs').over(torch('computeMs')),
  asWorkersFeed: reason('workers-feed'),
  asNoCores: reason('no-cores'),
  ...named({ step }, 'at-hand', 'workers-1', 'workers-2', 'ahead-1', 'ahead-8'),
  asReserveDelays: reason('reserve-delays'),
  asReserveHides: reason('reserve-hides'),
  ...named({ make }, 'ahead-1', 'ahead-8'),
  moreWorkersShortenSteps: all(
    step('at-hand').below(step('workers-1')),
    step('workers-2').below(step('workers-1')),
  ),
  eightWorkersSuffice: all(
    torch('points[workers=1].pinnedMs').over(torch('points[workers=0].pinnedMs')).atLeast(0.95),
    torch('points[workers=8].pinnedMs').over(torch('computeMs')).lessThan(1.05),
    torch('points[workers=8].pinnedMs').below(torch('points[workers=4].pinnedMs')),
  ),
  torchWorkers: torch('points[workers=1].pinnedMs').over(torch('computeMs')).as('about'),
  workersNeeded: step('workers-1').over(step('at-hand')).as('about'),
  torchMake: torch('makeMs'),
  torchCompute: torch('computeMs'),
  torchPinnedAt0Workers: torch('points[workers=0].pinnedMs'),
  torchPinnedAt1Workers: torch('points[workers=1].pinnedMs'),
  torchPinnedAt2Workers: torch('points[workers=2].pinnedMs'),
  torchPinnedAt4Workers: torch('points[workers=4].pinnedMs'),
  torchPinnedAt8Workers: torch('points[workers=8].pinnedMs'),
  torchPinnedAt16Workers: torch('points[workers=16].pinnedMs'),
  torchPageableAt16Workers: torch('points[workers=16].pageableMs'),
  pinningHelps: all(
    torch('points[workers=1].pinnedMs').overlaps(torch('points[workers=1].pageableMs')),
    torch('points[workers=16].pinnedMs').below(torch('points[workers=16].pageableMs')),
  ),
  persistentWorkersStartSooner: torch('points[workers=16].persistentMs').below(
    torch('points[workers=16].againMs'),
  ),
  torchAgainAt16Workers: torch('points[workers=16].againMs'),
  torchPersistentAt16Workers: torch('points[workers=16].persistentMs'),
  torchNoneStep: steps('starved-by-the-loader.none.stepMs'),
  torchOneStep: steps('starved-by-the-loader.one.stepMs'),
  fourProducts: four('step-ms').times(four('kernel-ratio')),
  torchFourStep: steps('starved-by-the-loader.four.stepMs'),
  oneWorkerGainsLittle: steps('starved-by-the-loader.one.stepMs')
    .over(steps('starved-by-the-loader.none.stepMs'))
    .atLeast(0.9),
  fourAreFaster: steps('starved-by-the-loader.four.stepMs').below(steps('starved-by-the-loader.one.stepMs')),
})

export const evidence = defineEvidence({
  workersKept: pair(torch('points[workers=16].againMs'), torch('points[workers=16].persistentMs')),
})
