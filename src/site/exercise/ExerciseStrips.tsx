/**
 * The unchanged program above the learner's own, on one axis, with the gain in one number; and the
 * lab's own below, once it may be seen.
 */
import { useCallback, useMemo } from 'react'
import { findExperiment } from '../../experiments/catalog'
import type { ExcerptPlan } from '../../lessons/lesson'
import type { Compared, ExerciseFigure } from '../../exercises/types'
import { idleTotals } from '../../analysis/idle-totals'
import type { Outcome } from '../../analysis/run-gains'
import { CAUSES } from '../../timeline'
import { changedGain } from '../state/idle-time'
import type { ExerciseResult } from './store'
import type { RunState } from '../state/run-store'
import { together, type Excerpt, type ExcerptBar } from '../../strips/excerpt'
import { excerptOf } from '../../strips/of-run'
import { formatQuantity } from '../ui/format'
import type { Metric } from '../../trace/report'
import { ModelledMark } from '../ui/ModelledMark'
import { barsIn } from '../ui/lesson/ExcerptLegend'
import { ExcerptView, idleLabels } from '../ui/lesson/ExcerptPanel'
import type { StripWords } from '../ui/strips/ExcerptStrips'

const NAMES = { start: 'before', yours: 'yours', reference: 'the lab’s own' } as const satisfies Readonly<
  Record<keyof Compared, string>
>
type Program = keyof Compared
export const YOURS = NAMES.yours

const programOf = (name: string): Program =>
  name === NAMES.start ? 'start' : name === NAMES.reference ? 'reference' : 'yours'

/**
 * Each program's first steps, under its own name, on the scale of the longest. Null where there is
 * nothing to draw.
 */
function excerptOfExercise(
  runs: ExerciseResult['runs'],
  shown: readonly Program[],
  plan: ExcerptPlan,
): Excerpt | null {
  const excerpt = together(
    shown.map((program) => ({
      cut: (leastNs) => {
        const run = runs[program]
        return run && excerptOf(run, { ...plan, isSteady: false }, leastNs)
      },
      name: NAMES[program],
    })),
  )
  // A function that is asked calls nothing of WebGPU.
  return excerpt && barsIn(excerpt).length > 0 ? excerpt : null
}

const hasStaging = ({ strips }: Excerpt): boolean =>
  strips.some(({ rows }) => rows.some(({ kind, bars }) => kind === 'staging' && bars.length > 0))

/** Of the run that is drawn: why its device was idle. */
const idleWords = (run: RunState | null, name: string): StripWords['idle'] =>
  run?.placed ? idleLabels(idleTotals(run.placed.trace, run.gaps), name) : []

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  'as-predicted': 'as predicted',
  faster: 'less than predicted, so you removed more than that',
  slower: 'more than predicted, so a part of it is left, or something else holds it up',
  'no-gain': 'no gain',
  'not-decided': 'we can’t tell whether that is what was predicted',
}

/** Why it became faster: the replay takes the cause away from the program before. */
function replayedText({ start, yours }: ExerciseResult['runs'], run: string): string {
  const meta = findExperiment(start?.placed?.trace.info.experiment ?? '')
  const changed = start && yours && changedGain(meta, start, run, yours, run)
  if (!changed || changed.tested.measured.value === null) return ''
  const { gain, tested } = changed
  const say = ({ value }: Metric) => formatQuantity(value ?? Number.NaN, 'ms')
  const { low, high } = gain.predicted
  const range = [low, high].map((ms) => formatQuantity(ms ?? Number.NaN, 'ms')).join(' to ')
  return `The program before, replayed without ‘${CAUSES[gain.cause].label}’, is predicted to take ${say(gain.predicted)} a run (${range}) instead of ${say(gain.now)}, in the median. Yours took ${say(tested.measured)}: ${OUTCOMES[tested.outcome]}.`
}

interface ExerciseStripsProps {
  readonly result: ExerciseResult
  readonly figure: ExerciseFigure
  readonly plan: ExcerptPlan
  readonly showsReference: boolean
  readonly onLine: (name: string, line: ExcerptBar | null) => void
}

export const ExerciseStrips = ({ result, figure, plan, showsReference, onLine }: ExerciseStripsProps) => {
  const { runs, graded } = result
  const excerpt = useMemo(
    () =>
      excerptOfExercise(runs, showsReference ? ['start', 'yours', 'reference'] : ['start', 'yours'], {
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
  const replayed = useMemo(() => replayedText(runs, figure.run), [runs, figure])
  return excerpt ? (
    <div className={graded.passed === false ? 'mend-strips' : 'mend-strips mend-strips-passed'}>
      {graded.evidence.isModelled === true && (
        <p className="small">
          <ModelledMark /> The steps below ran on the model’s clock, not on your machine.
        </p>
      )}
      <ExcerptView
        key={graded.seed}
        {...{ excerpt, words, onLine }}
        staging={plan.staging && hasStaging(excerpt)}
        wanted={YOURS}
        code={null}
      />
      {replayed !== '' && (
        <p className="small" data-testid="replayed">
          {replayed}
        </p>
      )}
    </div>
  ) : null
}
