/** What the picture of a step shows. Pure. */
import type { ExcerptPlan, ExperimentLesson, LessonStep } from '../../../lessons/lesson'

const variantsOf = (figures: LessonStep['compare']): readonly string[] => [
  ...new Set(figures.flatMap(({ variant }) => (variant === '' ? [] : [variant]))),
]

/**
 * The lesson's variants; those that the step compares, where the lesson's picture has not what it
 * asks about.
 */
function drawnVariants(
  { excerpt }: Pick<ExperimentLesson, 'excerpt'>,
  { guess, compare }: Pick<LessonStep, 'guess' | 'compare'>,
): readonly string[] {
  const asked = variantsOf(guess ? [guess, ...(guess.than ? [guess.than] : [])] : compare)
  return asked.every((variant) => excerpt.variants.includes(variant)) ? excerpt.variants : variantsOf(compare)
}

/** The step's own cut, or the lesson's. From the start: a step takes a run apart. */
export const planOf = (
  lesson: Pick<ExperimentLesson, 'excerpt'>,
  step: Pick<LessonStep, 'guess' | 'compare' | 'show'>,
): ExcerptPlan => ({
  ...lesson.excerpt,
  isSteady: false,
  variants: drawnVariants(lesson, step),
  ...step.show,
})
