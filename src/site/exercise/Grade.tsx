/**
 * What a grading came to: the verdict, its figure and picture, what must hold, and where to go on.
 */
import type { ExperimentLesson } from '../../lessons/lesson'
import type { Names } from '../../exercises/names'
import type { Check, ExerciseFigure, Graded, Stop, Outcome } from '../../exercises/types'
import type { ExcerptBar } from '../../strips/excerpt'
import { addressOf, lessonRoute } from '../state/url'
import { Button } from '../ui/Button'
import { formatQuantity } from '../ui/format'
import { ModelledMark } from '../ui/ModelledMark'
import { Inline, Quantities } from '../ui/prose/Inline'
import { ExerciseStrips } from './ExerciseStrips'
import { Hints } from './Hints'
import { rungAddress } from './RungPicker'
import type { ExerciseResult, OpenExercise } from './store'
import type { ExerciseWords } from '../../exercises/exercise'

/** By `Graded.passed`: on a device, and on the modelled machine. */
const VERDICTS = {
  true: ['Mended.', 'The model says: mended.'],
  false: ['Not mended yet.', 'The model says: not mended yet.'],
  null: [
    'Nothing is wrong with it, but one check cannot be determined on this machine. It counts as done, with that note.',
    'The model finds nothing wrong with it, and cannot tell all that must hold.',
  ],
} as const

/** 'computed 31 % → 93 %', and how that compares. */
const Gain = ({ figure, result }: { readonly figure: ExerciseFigure; readonly result: ExerciseResult }) => {
  const { figures, checks } = result.graded
  const { start, yours, reference } = figures
  const { isModelled = false } = result.graded.evidence
  if (yours === null) return null
  const say = (value: number) => formatQuantity(value, figure.unit)
  // The same program twice is no before and after.
  const isChanged = !checks.some(({ id, outcome }) => id === 'changed' && outcome === 'no')
  return (
    <p className="mend-gain" data-testid="gain">
      {start !== null && isChanged && (
        <>
          <span className="mend-gain-before quiet">
            <Quantities text={say(start)} />
          </span>
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> before, then </span>
        </>
      )}
      <strong>
        <Quantities text={say(yours)} />
      </strong>
      <span className="mend-gain-words small">
        {figure.words}
        {isModelled && (
          <>
            {' '}
            <ModelledMark />
          </>
        )}
        {reference !== null && (
          <span className="quiet">
            . <Quantities text={`The lab’s own: ${say(reference)}.`} />
          </span>
        )}
      </span>
    </p>
  )
}

/** The check that is told first: that nothing was changed says less than any other. */
export function firstMissing(checks: Graded['checks']): Check | undefined {
  const all = checks.filter(({ outcome }) => outcome === 'no')
  return all.find(({ id }) => id !== 'changed') ?? all[0]
}

/** A mistake of the syntax stands below the editor, where it is typed. */
const toldBy = (checks: Graded['checks'], stop: Stop | null): string =>
  stop?.reason === 'syntax' && stop.line !== null
    ? `Line ${String(stop.line)} does not parse.`
    : (firstMissing(checks)?.text ?? '')

export const Verdict = ({
  passed,
  checks,
  evidence: {
    isModelled = false,
    yours: { stop },
  },
}: Graded) => (
  <p
    className="mend-verdict size-3"
    data-testid="grade"
    data-passed={String(passed)}
    data-modelled={isModelled}
  >
    {isModelled && <ModelledMark />} <strong>{VERDICTS[`${passed}`][isModelled ? 1 : 0]}</strong>{' '}
    <Quantities text={toldBy(checks, stop)} />
  </p>
)

export const OnToChange = ({ lesson }: { readonly lesson: Pick<ExperimentLesson, 'id'> }) => (
  <a href={addressOf(lessonRoute(lesson.id, 'change'))}>Change one thing</a>
)

const NameList = ({ names }: { readonly names: Names }) => (
  <ul className="stack-4">
    {Object.entries(names).map(([key, { says, takes = '', has }]) => (
      <li key={key}>
        <code>{key + takes}</code> <Inline text={says} />
        {has && <NameList names={has} />}
      </li>
    ))}
  </ul>
)

interface CameToProps {
  readonly lesson: ExperimentLesson
  readonly exercise: OpenExercise
  readonly result: ExerciseResult | null
  readonly isRunning: boolean
  readonly isModelled: boolean
  /** The line of the mistake that the grade tells. */
  readonly mistakeAt: number | null
  readonly showsReference: boolean
  readonly onBack: () => void
  readonly onLine: (name: string, bar: ExcerptBar | null) => void
}

/** Result of the program: the verdict, its figure and picture, and what must hold. */
export const CameTo = (props: CameToProps) => {
  const { lesson, exercise, isModelled, mistakeAt, showsReference, onBack, onLine } = props
  const { rung, rungs, words, figure } = exercise
  const result = props.isRunning ? null : props.result
  const graded = result?.graded ?? null
  const last = props.result?.graded ?? null
  const isDone = graded !== null && graded.passed !== false
  const next =
    rung < rungs
      ? { href: rungAddress(lesson.id, rung + 1), words: `Continue to exercise ${String(rung + 1)}` }
      : { href: addressOf(lessonRoute(lesson.id, 'change')), words: 'Next: change one thing' }
  return (
    <>
      {result && <Gain figure={figure} result={result} />}
      {graded?.passed === false && (
        <div className="button-row no-print">
          <Button
            label={mistakeAt === null ? 'Back to the program' : `Back to line ${String(mistakeAt)}`}
            onClick={onBack}
          />
          <OnToChange lesson={lesson} />
        </div>
      )}
      {isDone && (
        <p className="no-print">
          <a className="button button-main" href={next.href}>
            {next.words}
          </a>
        </p>
      )}
      {result && <ExerciseStrips {...{ result, figure, showsReference, onLine }} plan={lesson.excerpt} />}
      <h3 className="small quiet">
        What must hold
        {isModelled && graded && ', and what the model says of it'}
      </h3>
      <CheckList
        must={words.must}
        checks={graded?.checks ?? null}
        told={(graded && firstMissing(graded.checks)?.id) ?? null}
      />
      {exercise.names && (
        <details className="mend-names small">
          <summary>What the program can use</summary>
          <NameList names={exercise.names} />
        </details>
      )}
      <Printed graded={last} />
      {last?.passed !== true && <Hints hints={words.hints} />}
    </>
  )
}

const Printed = ({ graded }: { readonly graded: Graded | null }) => {
  const { log = [], stop = null } = graded?.evidence.yours ?? {}
  const printed = stop?.browserText === undefined ? log : [...log, stop.browserText]
  return printed.length === 0 ? null : (
    <details className="mend-log">
      <summary>{stop?.browserText === undefined ? 'console.log' : 'The browser’s own words'}</summary>
      <pre>{printed.join('\n')}</pre>
    </details>
  )
}

/**
 * What must hold, every rule: what each check wants before a grading, what it found after it. Those
 * of every mend are folded, unless one found something.
 */
const MARKS: Readonly<Record<Outcome | 'open', { readonly sign: string; readonly words: string }>> = {
  yes: { sign: '✓', words: 'Holds' },
  no: { sign: '✗', words: 'Does not hold' },
  'cannot-tell': { sign: '?', words: 'Cannot be determined here' },
  open: { sign: '○', words: 'Not checked yet' },
}

interface RowProps {
  readonly id: string
  readonly state: Outcome | 'open'
  readonly text: string
}

const Row = ({ id, state, text }: RowProps) => (
  <li className={`check stack small check-${state}`} data-check={id} data-outcome={state}>
    <span className="check-sign" aria-hidden="true">
      {MARKS[state].sign}
    </span>
    <span>
      <span className="visually-hidden">{MARKS[state].words}: </span>
      <Quantities text={text} />
    </span>
  </li>
)

interface CheckListProps {
  readonly must: ExerciseWords['must']
  readonly checks: readonly Check[] | null
  /** The check whose sentence stands in the grade: its row keeps the rule. */
  readonly told: string | null
}

/** @internal */
export const CheckList = ({ must, checks, told }: CheckListProps) => {
  const rows = must.map(({ id, text, isCommon = false }) => {
    const { outcome = 'open', text: found = text } = checks?.find((each) => each.id === id) ?? {}
    const isFolded = isCommon && (outcome === 'open' || outcome === 'yes')
    return { isFolded, row: <Row key={id} id={id} state={outcome} text={id === told ? text : found} /> }
  })
  const rowsOf = (folded: boolean) => rows.flatMap(({ isFolded, row }) => (isFolded === folded ? [row] : []))
  const common = rowsOf(true)
  return (
    <>
      <ul className="checks stack-8" aria-label="What must hold">
        {rowsOf(false)}
      </ul>
      {common.length > 0 && (
        <details className="checks-common">
          <summary>As in every exercise: {common.length} more</summary>
          <ul className="checks stack-8" aria-label="As in every exercise">
            {common}
          </ul>
        </details>
      )}
    </>
  )
}
