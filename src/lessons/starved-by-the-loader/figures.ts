/** Figures and conditions of the words beside it. */
import { all, reason } from '../../text/define-conditions'
import { defineEvidence, pair } from '../../text/define-evidence'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torch = recording('torch-starved-by-the-loader')
export const steps = recording('torch-steps')
const four = recording('torch-starved-by-the-loader-four')

export const make = metric('make-ms')
export const step = metric('step-ms')

export const figures = defineFigures({
  torchMakeOverCompute: torch('makeMs').over(torch('computeMs')).as('times'),
  torchComputeShareAt1Worker: torch('computeMs').over(torch('points[workers=1].pinnedMs')),
  torchStepOverComputeAt1Worker: torch('points[workers=1].pinnedMs').over(torch('computeMs')),
  asWorkersFeed: reason('workers-feed'),
  asNoCores: reason('no-cores'),
  asReserveDelays: reason('reserve-delays'),
  asReserveHides: reason('reserve-hides'),
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
  pinningHelps: all(
    torch('points[workers=1].pinnedMs').overlaps(torch('points[workers=1].pageableMs')),
    torch('points[workers=16].pinnedMs').below(torch('points[workers=16].pageableMs')),
  ),
  persistentWorkersStartSooner: torch('points[workers=16].persistentMs').below(
    torch('points[workers=16].againMs'),
  ),
  fourProducts: four('step-ms').times(four('kernel-ratio')),
  oneWorkerGainsLittle: steps('starved-by-the-loader.one.stepMs')
    .over(steps('starved-by-the-loader.none.stepMs'))
    .atLeast(0.9),
  fourAreFaster: steps('starved-by-the-loader.four.stepMs').below(steps('starved-by-the-loader.one.stepMs')),
})

export const evidence = defineEvidence({
  workersKept: pair(torch('points[workers=16].againMs'), torch('points[workers=16].persistentMs')),
})
