/**
 * The same in PyTorch: a loop with one place open, and what was recorded with each choice for it.
 * The first that is pressed is the reader's answer; wrong ones play as right ones do. Room for
 * every strip and every sentence is kept from the start. What was pressed before a reload is there
 * again, and does not play.
 */
import { useCallback, useId, useMemo, useRef, useState, Suspense, use } from 'react'
import { addressOf } from '../state/url'
import { formatQuantity, formatShare } from '../ui/format'
import { ExcerptLegend } from '../ui/lesson/ExcerptLegend'
import { Inline, Quantities } from '../ui/prose/Inline'
import { parseInline, plainText } from '../ui/prose/parse-prose'
import { originInWords } from '../ui/run-words'
import { CodeText } from '../ui/source/CodeView'
import type { HighlightedLines } from '../ui/source/lines'
import { ExcerptStrips, type StripWords } from '../ui/strips/ExcerptStrips'
import { drawnOf, standingOf, type Choice, type Choices, hasChoices, loadChoices } from './choices-of'
import { useLab, useProgress } from '../ui/lab-context'
import './choices.css'

const Lines = ({ lines }: { readonly lines: HighlightedLines }) =>
  lines.map((line, at) => (
    <span key={at} className="choice-line">
      <CodeText line={line} />
    </span>
  ))

/**
 * A step as the program runs by itself; the picture's step is slower, since the profiler records
 * every call.
 */
const tookInWords = ({ took: { value }, stepMs, share }: Choice): string => {
  const computed = share === null ? 'nothing' : `${formatShare(share)} of the time`
  const profiled = formatQuantity(stepMs, 'ms')
  const took = formatQuantity(value, 'ms')
  return took === profiled
    ? `A step took ${took}, and as long under the profiler, which drew the picture: the GPU computed ${computed}.`
    : `A step took ${took} by itself. The picture is another run, under the profiler: there a step took ${profiled}, and the GPU computed ${computed}.`
}

/** From so many times the other on, whoever reads the picture's axis would miss the difference. */
const FAR = 1.2

function besideStrip({ took: { value }, stepMs }: Choice): string {
  const isFar = Math.max(value / stepMs, stepMs / value) >= FAR
  const profiled = isFar ? `; profiled: ${formatQuantity(stepMs, 'ms')}` : ''
  return `${formatQuantity(value, 'ms')} a step${profiled}`
}

const resultOf = (choice: Choice, choices: readonly Choice[]): readonly string[] => [
  `${tookInWords(choice)} ${standingOf(choice, choices)}`,
  ...choice.why,
]

const Result = ({
  choice,
  choices,
  script,
  isShown,
}: Pick<Choices, 'choices' | 'script'> & { readonly choice: Choice; readonly isShown: boolean }) => {
  const [first = '', ...why] = resultOf(choice, choices)
  const { device, date, software } = choice.origin
  return (
    <div className="choice-result stack-8" data-shown={isShown} data-testid="choice-result">
      <p className="size-3">
        <strong>{choice.label}.</strong> <Quantities text={first} />
      </p>
      {why.map((text) => (
        <p key={text}>
          <Inline text={text} />
        </p>
      ))}
      <p className="small quiet">
        Recorded once with torch.profiler: <a href={`companion/${script}`}>{script}</a> on{' '}
        {originInWords({ device, date })}
        {software === '' ? '' : `, ${software}`}.
        {choice.share !== null &&
          ' The share is of the whole recording, from the first start to the last end on the GPU.'}{' '}
        <a href={addressOf({ page: 'trace', query: { recording: choice.recording } })}>
          Open the whole profile
        </a>
      </p>
    </div>
  )
}

/** @internal */
export const RecordedChoices = ({
  question,
  intro,
  before,
  after,
  choices,
  excerpt,
  script,
  tried,
  onTry,
}: Choices & {
  /** Recordings of those that were pressed before, each once, in their order. */
  readonly tried: readonly string[]
  readonly onTry: (recording: string) => void
}) => {
  const id = useId()
  const shown = useRef<HTMLDivElement>(null)
  /** Labels, in the order in which they were pressed: before, and in all. */
  const [kept] = useState(() =>
    tried.flatMap((each) => choices.find(({ recording }) => recording === each)?.label ?? []),
  )
  const [pressed, setPressed] = useState(kept)
  const current = choices.find(({ label }) => label === pressed.at(-1))
  const drawn = useMemo(() => drawnOf(excerpt, pressed), [excerpt, pressed])
  const words = useCallback(
    (label: string): StripWords => {
      const choice = pressed.includes(label) && choices.find((each) => each.label === label)
      return { figure: choice ? besideStrip(choice) : null, idle: [] }
    },
    [choices, pressed],
  )
  return (
    <section className="choices stack-12" aria-labelledby={id} data-testid="choices">
      <h2 id={id}>In PyTorch: {question}</h2>
      {intro.map((text) => (
        <p key={text} className="passage">
          <Inline text={text} />
        </p>
      ))}
      <div className="choices-loop panel" role="group" aria-label={question}>
        <code className="choice-code">
          <Lines lines={before} />
        </code>
        <div className="choices-open">
          {choices.map(({ label, lines, recording }) => (
            <button
              key={label}
              type="button"
              className="choice stack-4 top"
              aria-pressed={label === current?.label}
              onClick={() => {
                setPressed([...pressed, label])
                onTry(recording)
                shown.current?.scrollIntoView({ block: 'nearest' })
              }}
            >
              <span className="row split">
                <span className="bold">{label}</span>
                <span className="choice-own small nowrap" data-shown={label === pressed[0]}>
                  your guess
                </span>
              </span>
              {lines.length > 0 && (
                <code className="choice-code">
                  <Lines lines={lines} />
                </code>
              )}
            </button>
          ))}
        </div>
        {after.length > 0 && (
          <code className="choice-code">
            <Lines lines={after} />
          </code>
        )}
      </div>
      <div ref={shown} className="stack-12">
        {/* Two names in turn, so that each press plays it from the start; what was kept stands. */}
        <div
          className="choices-strips container"
          data-turn={pressed.length === kept.length ? undefined : pressed.length % 2}
        >
          <ExcerptStrips excerpt={drawn} words={words} withStaging={false} atNs={null} />
        </div>
        <ExcerptLegend excerpt={excerpt} staging={false} />
        <div className="choices-results">
          {!current && <p>Press one: its recorded run is drawn above.</p>}
          {choices.map((choice) => (
            <Result
              key={choice.label}
              {...{ choice, choices, script }}
              isShown={choice.label === current?.label}
            />
          ))}
        </div>
      </div>
      <p role="status" className="visually-hidden">
        {current && `${current.label}. ${plainText(parseInline(resultOf(current, choices).join(' ')))}`}
      </p>
    </section>
  )
}

const NONE: readonly string[] = []

const Loaded = ({ lesson }: { readonly lesson: string }) => {
  const { lessons } = useLab()
  const { choices: tried = NONE } = useProgress(lesson)
  return (
    <RecordedChoices
      {...use(loadChoices(lesson))}
      tried={tried}
      onTry={(recording) => lessons.keep(lesson, { choices: [...new Set([...tried, recording])] })}
    />
  )
}

/** A lesson without choices has no such place. */
export const ChoicesPlace = ({ lesson }: { readonly lesson: string }) =>
  hasChoices(lesson) && (
    <div className="choices-place">
      <Suspense fallback={null}>
        <Loaded lesson={lesson} />
      </Suspense>
    </div>
  )
