/**
 * A screen of a lesson in a frame is cut into parts, of which one is in view, so that each fits the height which the code of a frame asks for
 * (FRAME_HEIGHT of frame.ts): a page that does not listen shows it whole. embed.css says what each part has.
 */
import type { ExperimentLesson } from '../../../lessons/lesson'
import type { Report } from '../../../trace/report'

export interface Part {
  readonly id: string
  readonly label: string
}

const chartsOf = (report: Report | null | undefined): readonly Part[] => {
  const figures = report?.figures ?? []
  return figures.map((_, index) => ({
    id: `chart-${String(index + 1)}`,
    label: figures.length === 1 ? 'Chart' : `Chart ${String(index + 1)}`,
  }))
}

const PROGRAM: Part = { id: 'program', label: 'Replay and program' }

export const QUESTION_PARTS: readonly Part[] = [
  { id: 'question', label: 'The question' },
  { id: 'about', label: 'What it is about' },
]

export const resultParts = (report: Report): readonly Part[] => [
  { id: 'result', label: 'Result' },
  { id: 'answer', label: 'Answer' },
  PROGRAM,
  ...chartsOf(report),
]

/**
 * @param after what the step shows: its own run, or the lesson's where it has none
 * @param isDrawn whether a curve was drawn before that run
 */
export const stepParts = (
  { steps }: ExperimentLesson,
  open: string,
  after: Report | null | undefined,
  isDrawn: boolean,
): readonly Part[] => {
  const { action, draw } = steps.find(({ id }) => id === open) ?? {}
  const runs = action !== undefined
  const pictures = runs
    ? [{ id: 'picture', label: 'Before and after' }]
    : [{ id: 'picture', label: 'Picture' }, PROGRAM]
  return [
    { id: 'step', label: 'The step' },
    ...(draw && (!after || isDrawn) ? [{ id: 'draw', label: 'Your curve' }] : []),
    ...(after ? [...pictures, ...chartsOf(after)] : []),
    ...(after || !runs ? [{ id: 'look', label: 'Look for' }] : []),
    { id: 'steps', label: 'All steps' },
  ]
}
