/**
 * One change: one control, one Run, the conclusion, and the run before beside the run after; the
 * others are links below.
 */
import { useContext, useMemo, useState } from 'react'
import type { LessonStep } from '../../../lessons/lesson'
import { partsFor } from '../../../text/template'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { Guessed } from '../../state/lesson-store'
import { isUnderWay, type RunState } from '../../state/run-store'
import { addressOf, lessonRoute } from '../../state/url'
import { Inline } from '../prose/Inline'
import { ReadingContext, Prose } from '../prose/Prose'
import { ParamControls } from '../run/ParamControls'
import { benchRoute, differences, settingsRoute } from '../run/param-query'
import { BeforeAfter, StepCharts } from './BeforeAfter'
import { AskGuess, GuessResult } from './Guess'
import { ShareMenu } from '../run/ShareMenu'
import { planOf } from './step-plan'
import { NoRunYet, RunStage } from './NoRunYet'
import { ExcerptPanel } from './ExcerptPanel'
import type { ScreenProps } from './use-lesson-run'
import { SCREEN_START, useShownAtEnd } from './use-screen-focus'
import { Button } from '../Button'

interface StepProps extends ScreenProps {
  readonly step: LessonStep
}

/** What the run shows of the change. */
const Conclusion = ({ step }: { readonly step: LessonStep }) => {
  const parts = partsFor(step.lookFor ?? [], useContext(ReadingContext))
  return parts.length > 0 ? (
    <div className="conclusion" data-testid="conclusion">
      <Prose text={parts} />
    </div>
  ) : null
}

/** What is set and guessed before a run of the step, and how it stands. */
function useStepRun({ state, step }: StepProps) {
  const { action } = step
  const { meta, recordedOnly } = state
  const before = state.ended(FIRST_RUN)
  const after = state.ended(step.id)
  const underWay = state.underWay(step.id)
  const dial = meta.params.find(({ name }) => name === action?.dial)
  const chosen = action ? state.valuesOf(step) : null
  const plays = state.playsFirst(step.id)
  // A recorded step has fewer repeats than a run here.
  const changed =
    after && chosen && !(plays && after.origin === 'recorded') ? differences(meta, after.params, chosen) : []
  const isRunning = underWay !== null && isUnderWay(underWay.phase)
  const isBusy = isRunning || underWay?.phase === 'loading'
  const kept = state.progress.guesses?.[step.id] ?? null
  // What is shown already cannot be guessed any more; with another setting it is asked anew.
  const isAsked = after === null || (!recordedOnly && changed.length > 0)
  const asks = step.guess !== undefined && isAsked
  const [draft, setDraft] = useState<{ readonly said: Guessed; readonly after: RunState | null } | null>(null)
  const drafted = draft?.after === after ? draft.said : null
  const run = () => state.begin(step.id, chosen, asks ? drafted : kept)
  const say = (said: Guessed) => setDraft({ said, after })
  const runs = { before, after, underWay, isRunning, isBusy, kept, run }
  return { dial, chosen, plays, changed, asks, drafted, say, ...runs }
}

type ActionProps = StepProps & ReturnType<typeof useStepRun>

const Action = (props: ActionProps) => {
  const { lesson, state, step, after, run, plays, changed, isBusy } = props
  const { dial, chosen, asks, drafted, say } = props
  const { recordedOnly } = state
  // What was asked is gone with the run, and what it came to has its place.
  const shownAtEnd = useShownAtEnd(isBusy)
  return (
    <div className="change-action stack-16 no-print">
      {dial && chosen && !recordedOnly && (
        <ParamControls
          params={[dial]}
          values={chosen}
          onChange={(name, value) => state.setValueOf(step, name, value)}
        />
      )}
      {asks && step.guess && <AskGuess guess={step.guess} said={drafted} onSay={say} />}
      <div ref={shownAtEnd} className="button-row">
        <Button
          id="run-key"
          look="main"
          label={plays ? 'Play the recording' : after ? 'Run it again' : 'Run it'}
          isOff={isBusy || (chosen === null && !plays)}
          onClick={run}
        />
        {after && (
          <ShareMenu run={after} settings={settingsRoute(lesson, state.meta, step.id, after.params)} />
        )}
        {!recordedOnly && changed.length > 0 && (
          <span className="small quiet">The result below was run with a different setting.</span>
        )}
      </div>
    </div>
  )
}

const Open = (props: StepProps) => {
  const { lesson, state, step } = props
  const { action } = step
  const plan = useMemo(() => planOf(lesson, step), [lesson, step])
  const its = useStepRun(props)
  const { before, after, underWay, isRunning, kept, run } = its
  return (
    <ReadingContext value={state.readingOf(action ? after : before)}>
      <section className="stack-16" aria-labelledby={`heading-${step.id}`}>
        <h2 id={`heading-${step.id}`} {...SCREEN_START}>
          {step.heading}
        </h2>
        <Prose text={step.text} />
        {action && <Action {...props} {...its} />}
        {underWay && <RunStage run={underWay} onCancel={state.cancel} onAgain={run} />}
        {!isRunning && after?.report && step.guess && kept && (
          <GuessResult
            {...{ guess: step.guess, said: kept }}
            before={before?.report ?? null}
            after={after.report}
          />
        )}
        {!isRunning && (after ?? (!action && before)) && <Conclusion step={step} />}
        {!isRunning && after && <BeforeAfter {...{ lesson, state, step, plan, before, after }} />}
        {!action && before && (
          <StepCharts {...{ step }} run={before} references={state.meta.references}>
            <ExcerptPanel {...{ lesson, plan }} meta={state.meta} run={before} isCloser />
          </StepCharts>
        )}
        {!action && !before && (
          <NoRunYet
            {...{ lesson, state }}
            words="This step looks at the lesson’s own run, and there is none here yet."
          />
        )}
      </section>
    </ReadingContext>
  )
}

export const ChangeScreen = ({ lesson, state }: ScreenProps) => {
  const step = lesson.steps.find(({ id }) => id === state.step)
  return (
    <div className="change stack">
      {step && <Open key={step.id} lesson={lesson} state={state} step={step} />}
      <nav className="change-others no-print stack-8" aria-labelledby="other-changes">
        <h2 id="other-changes" className="size-3">
          Other changes
        </h2>
        <ul className="stack-6">
          {lesson.steps
            .filter(({ id }) => id !== state.step)
            .map(({ id, heading }) => (
              <li key={id}>
                <a href={addressOf(lessonRoute(lesson.id, 'change', id))}>{heading}</a>
              </li>
            ))}
          {lesson.tryNext.map(({ label, values, why }) => (
            <li key={label}>
              <a href={addressOf(benchRoute(state.meta, { ...lesson.values, ...values }))}>{label}</a>
              <span className="small quiet">
                {' '}
                <Inline text={why} />
              </span>
            </li>
          ))}
        </ul>
      </nav>
      <div className="button-row no-print">
        <a className="button" href={addressOf(lessonRoute(lesson.id, 'why'))}>
          Next: why
        </a>
      </div>
    </div>
  )
}
