/** The model of a measured run: its figures, and its strips cut as the measured ones are. */
import { tellStory } from '../../analysis/story'
import { loadRun } from '../../experiments/runners'
import { placeTrace } from '../../trace/place'
import { cuda } from '../cards/cuda'
import { cardForRun, cardOf, FITTED } from '../fit'
import { runModel, whyNotModelled, type ModelledTrace } from '../run-model'
import { sameWork } from '../same-work'
import type { BesideAnswer, BesideRequest } from './protocol'

export async function besideOf({ whose, own, report, variants, cut }: BesideRequest): Promise<BesideAnswer> {
  const card = whose === 'cuda' ? cuda : own ? cardForRun(own, report) : cardOf(report)
  if (!card)
    return {
      why: 'The run has not calibrated how fast its machine computes, so that the model has no card of it.',
    }
  try {
    const { metrics, trace } = await runModel(card, await loadRun(report.experiment, sameWork(report, card)))
    return {
      modelled: {
        whose,
        source: card.source,
        isFitted: card.name === FITTED,
        metrics,
        story: tellStory(placeTrace(drawable(trace)), variants, cut),
      },
    }
  } catch (thrown) {
    const why = whyNotModelled(thrown)
    if (why === null) throw thrown
    return { why }
  }
}

/** To be placed, whose result stays here: strips say nothing of an origin. */
const drawable = ({ info, ...trace }: ModelledTrace) => ({
  ...trace,
  info: { ...info, origin: 'imported' as const },
})
