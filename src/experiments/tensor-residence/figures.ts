/** Figures and conditions of verdict.md. */
import { defineFigures, metric, all, measured, paramIs, named } from '../../text/define-figures'

const slowdown = metric('slowdown')
const generate = metric('generate-ms')
const write = metric('write-ms')
const endWait = metric('end-wait-ms')
const step = metric('step-ms')
const kernel = metric('kernel-ms')

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** Both ways take as long. */
const EVEN = 1
/**
 * Making and sending must explain at least so much of what an uploaded tensor takes longer, else
 * something else made it long.
 */
const ENOUGH = 0.5
/** A part of an uploaded tensor's time below this is not named. */
const WORTH_NAMING = 0.2
/** More than half counts as most. */
const MOSTLY = 0.5

const slower = slowdown('upload').surelyAtLeast(WORTH_REPORTING)
const explained = generate('upload')
  .or(0)
  .plus(write('upload'))
  .plus(endWait('upload').minus(endWait('on-device')).or(0))
  .over(step('upload').minus(step('on-device')))
  .atLeast(ENOUGH)
const stillTravels = all(
  endWait('on-device').below(endWait('upload')),
  endWait('upload').minus(endWait('on-device')).over(step('upload')).atLeast(WORTH_NAMING),
)
const made = paramIs('source', 'made')
const asked = measured(step('shape'), step('data'))

export const figures = defineFigures({
  ...named({ step }, 'on-device', 'upload', 'shape', 'data'),
  made,
  ...named({ generate, write }, 'upload'),
  stillTravels,
  ...named({ endWait }, 'upload', 'on-device'),
  kernelOnDevice: kernel('on-device'),
  endWaitDominates: endWait('on-device').minus(kernel('on-device')).over(step('on-device')).atLeast(MOSTLY),
  askedAndStepShapeBelowData: all(asked, step('shape').below(step('data'))),
  stepShapeLikeData: step('shape').overlaps(step('data')),
  asked,
  madeThere: all(slower, measured(write('upload')), explained),
  stepUploadOverOnDevice: step('upload').over(step('on-device')).as('times'),
  notTheNumbers: all(slower, measured(write('upload'))),
  hidden: all(slowdown('upload').surelyAtLeast(EVEN), slowdown('upload').surelyLessThan(WORTH_REPORTING)),
  hostWorkUpload: generate('upload').or(0).plus(write('upload')),
  deviceSlower: slowdown('upload').surelyLessThan(EVEN),
  intervalsOverlap: measured(slowdown('upload'), write('upload')),
  stepOnDeviceLikeUpload: step('on-device').overlaps(step('upload')),
  slowdownUpload: slowdown('upload').as('times'),
})
