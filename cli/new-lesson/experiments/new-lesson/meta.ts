/** What does it cost to wait? */
import { defineExperiment } from '../declare/experiment'
import { steps, windowOver } from '../declare/samplers'
import { shared } from '../shared-params'

export const experiment = defineExperiment({
  id: 'new-lesson',
  title: 'New lesson',
  question: 'What does it cost to wait?',
  params: [{ ...shared.steps, place: 'dial', max: 128 }, shared.repeats, shared.seconds],
  short: { steps: 6, repeats: 2 },
  sources: [],
  variants: () => ['queued', 'awaited'],
  metrics: { 'step-ms': ['Time of a step', windowOver(steps)] },
})
