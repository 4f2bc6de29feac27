/** Which question is asked on this device, and what was answered to it. */
import type { Asked, ExperimentLesson, Prediction } from '../../../lessons/lesson'
import type { LessonProgress } from '../../state/lesson-store'
import type { DeviceFacts } from '../../../trace/report'

/** The question that this device can answer. Null: it has not said what it is. */
export const askedOf = (
  { withoutTimestamps, ...asked }: Prediction,
  device: Pick<DeviceFacts, 'features'> | null,
): Asked =>
  withoutTimestamps && device && !device.features.includes('timestamp-query') ? withoutTimestamps : asked

/** What was predicted or measured in another unit answered another question. */
export function progressOf(
  saved: LessonProgress,
  { unit }: Asked,
  { prediction: asked }: Pick<ExperimentLesson, 'prediction'>,
): LessonProgress {
  const isOther = (part: { readonly unit?: string } | null) =>
    part !== null && (part.unit ?? asked.unit) !== unit
  const { prediction, outcome } = saved
  return {
    ...saved,
    prediction: prediction?.kind === 'made' && isOther(prediction) ? null : prediction,
    outcome: isOther(outcome) ? null : outcome,
  }
}
