/** The unchanged program above the learner's own, on one axis, with the gain in one number; and the lab's own below, once it may be seen. */
import { CAUSES } from '../../timeline'
import { useCallback, useMemo } from 'react'
import type { StoryPlan } from '../../lessons/lesson'
import type { Compared, MendFigure } from '../../exercises/types'
import { idleTotals } from '../state/idle-time'
import type { ExerciseResult } from './store'
import type { RunState } from '../state/run-store'
import { storyOf, type Story, type StoryBar } from '../state/story'
import { formatQuantity } from '../ui/format'
import { ModelledMark } from '../ui/ModelledMark'
import { StoryView } from '../ui/lesson/StoryPanel'
import type { StripWords } from '../ui/story/StoryStrips'

const NAMES = { start: 'before', yours: 'yours', reference: 'the lab’s own' } as const satisfies Readonly<
  Record<keyof Compared, string>
>
type Program = keyof Compared
export const YOURS = NAMES.yours

const programOf = (name: string): Program =>
  name === NAMES.start ? 'start' : name === NAMES.reference ? 'reference' : 'yours'

/** Each program's first steps, under its own name, on the scale of the longest. Null where there is nothing to draw. */
export function storyOfMend(
  runs: ExerciseResult['runs'],
  shown: readonly Program[],
  plan: StoryPlan,
): Story | null {
  const tell = (run: RunState | null, leastNs: number) =>
    run && storyOf(run, { ...plan, isSteady: false }, leastNs)
  const lengthNs = Math.max(0, ...shown.map((program) => tell(runs[program], 0)?.lengthNs ?? 0))
  if (lengthNs === 0) return null
  const told = shown.map((program) => ({ name: NAMES[program], story: tell(runs[program], lengthNs) }))
  const strips = told.flatMap(({ name, story }) =>
    (story?.strips ?? []).map((strip) => ({ ...strip, variant: name })),
  )
  const isDeviceTimed = told.some(({ story }) => story?.isDeviceTimed === true)
  // A function that is asked calls nothing of WebGPU.
  return strips.some(({ rows }) => rows.some(({ bars }) => bars.length > 0))
    ? { lengthNs, strips, isDeviceTimed }
    : null
}

const hasStaging = ({ strips }: Story): boolean =>
  strips.some(({ rows }) => rows.some(({ kind, bars }) => kind === 'staging' && bars.length > 0))

/** Of the run that is drawn: why its device was idle. */
function idleWords(run: RunState | null, name: string): StripWords['idle'] {
  const total = run?.placed && idleTotals(run.placed.trace, run.gaps).find(({ variant }) => variant === name)
  const [first] = total?.causes ?? []
  const share = total && total.extentNs > 0 ? total.idleNs / total.extentNs : 0
  if (!first || share < 0.02) return []
  const percent = formatQuantity(share, 'ratio')
  return [`idle ${percent}: ${CAUSES[first.cause].label}`, `idle ${percent}`]
}

export const ExerciseStory = ({
  result,
  figure,
  plan,
  showsReference,
  onLine,
}: {
  readonly result: ExerciseResult
  readonly figure: MendFigure
  readonly plan: StoryPlan
  readonly showsReference: boolean
  readonly onLine: (name: string, line: StoryBar | null) => void
}) => {
  const { runs, graded } = result
  const story = useMemo(
    () =>
      storyOfMend(runs, showsReference ? ['start', 'yours', 'reference'] : ['start', 'yours'], {
        ...plan,
        variants: [figure.run],
      }),
    [runs, plan, figure, showsReference],
  )
  const words = useCallback(
    (name: string): StripWords => {
      const program = programOf(name)
      const value = graded.figures[program]
      return {
        figure: value === null ? null : formatQuantity(value, figure.unit),
        idle: idleWords(runs[program], figure.run),
      }
    },
    [runs, graded, figure],
  )
  return story ? (
    <div className={graded.passed === false ? 'mend-story' : 'mend-story mend-story-passed'}>
      {graded.evidence.isModelled === true && (
        <p className="small">
          <ModelledMark /> The steps below ran on the model’s clock, not on your machine.
        </p>
      )}
      <StoryView
        key={graded.seed}
        {...{ story, words, onLine }}
        staging={plan.staging && hasStaging(story)}
        wanted={YOURS}
        code={null}
      />
    </div>
  ) : null
}
