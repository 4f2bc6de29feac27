/**
 * 'What each change would gain': causes to switch off, host blocks to drag shorter, and the step as
 * the replay then has it.
 */
import { useId, useState } from 'react'
import { errorText } from '../../../analysis/diagnosis-words'
import { pageStep } from '../../../analysis/finding-words'
import type { Diagnosis, Finding } from '../../../analysis/findings'
import { durationRangeText, durationText, plain } from '../../../base/figures'
import { RECORDED_PAGE, type Trace } from '../../../trace/schema'
import { addressOf } from '../../state/url'
import { useWidth } from '../../ui/figure/use-width'
import { SaidAtRest } from '../../ui/SaidAtRest'
import { Words } from '../../ui/prose/Inline'
import { StepFigures, type Changes, useChanges } from './StepFigures'
import { StepStrips, type StepWords } from './StepStrips'
import type { Trial } from '../../../analysis/replay/trial'
import { Button } from '../../ui/Button'
import { factor } from '../../ui/verdict/FindingRow'
import './changes.css'

/**
 * How long a step takes without the profiler, as the reader measured it: predictions are of that
 * program then.
 */
interface StepTimeProps {
  /** Step time from the reader or the file, ns; null: neither gives one. */
  readonly knownNs: number | null
  /** By what the profiler usually adds, ns; null: the time is known. */
  readonly estimatedNs: number | null
  /** Step time that the reader typed, ms. */
  readonly given: number | null
  readonly onGiven: (stepMs: number | null) => void
}

const StepTime = ({ knownNs, estimatedNs, given, onGiven }: StepTimeProps) => {
  const id = useId()
  const shown = knownNs === null ? '' : plain(knownNs / 1e6, 4)
  const [text, setText] = useState(shown)
  const ms = Number(text)
  const isGiven = text.trim() !== '' && Number.isFinite(ms) && ms > 0
  return (
    <form
      className="step-time-form stack-4 no-print"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGiven) onGiven(ms)
        else if (text.trim() === '') onGiven(null)
      }}
    >
      <label htmlFor={id} className="small">
        Step without the profiler
      </label>
      <div className="cluster-8-12">
        <span className="nowrap">
          <input
            id={id}
            type="text"
            inputMode="decimal"
            size={7}
            value={text}
            placeholder={estimatedNs === null ? '7.9' : plain(estimatedNs / 1e6, 2)}
            aria-invalid={text.trim() !== '' && !isGiven}
            onChange={(event) => setText(event.target.value)}
          />{' '}
          ms
        </span>
        <Button type="submit" look="small" label="Recalibrate" isOff={text === shown} />
        {given !== null && (
          <Button look="small-plain" label="As the file says" onClick={() => onGiven(null)} />
        )}
        {estimatedNs !== null && (
          <Button
            look="small-plain"
            label={`Use the estimate, ${durationText(estimatedNs)}`}
            onClick={() => onGiven(estimatedNs / 1e6)}
          />
        )}
      </div>
    </form>
  )
}

/** One row a finding: a switch that takes its cause out of the step, and what that gains alone. */
interface CauseSwitchesProps {
  readonly findings: readonly Finding[]
  readonly isPage: boolean
  readonly nowNs: number
  readonly off: readonly string[]
  readonly onTurn: (cause: string, isOff: boolean) => void
}

const CauseSwitches = ({ findings, isPage, nowNs, off, onTurn }: CauseSwitchesProps) => (
  <ul className="cause-switches stack" aria-label="Causes to switch off">
    {findings.map(({ cause: of, what, title, without }) => {
      // A page has a finding for each kind of call, a profile one for all code of the host.
      const cause = isPage && of === 'host-code' ? `${of}:${what}` : of
      const isOff = off.includes(cause)
      const savedNs = without ? nowNs - 1e3 * without.stepUs : 0
      return (
        <li key={cause}>
          <label className="cause-switch row" data-cause={cause}>
            <input
              type="checkbox"
              role="switch"
              checked={!isOff}
              aria-checked={!isOff}
              onChange={(event) => onTurn(cause, !event.target.checked)}
            />
            <span>
              <span className="cause-title">{title}</span>
              {without && (
                <span className="block small quiet tabular">
                  <Words
                    text={
                      without.gain > 1
                        ? `alone saves ${durationText(savedNs)}, ${factor(without.gain)}`
                        : 'alone saves nothing'
                    }
                  />
                </span>
              )}
            </span>
          </label>
        </li>
      )
    })}
  </ul>
)

/** A change is said when the reader rests. */
const SAID_AFTER_MS = 400

export interface ChangesSectionProps {
  readonly trial: Trial
  readonly trace: Trace
  readonly diagnosis: Diagnosis
  /** Name of the device where there are several. */
  readonly name: string | null
  /** Step time that the reader typed; null: that of the file. */
  readonly stepMs: number | null
  readonly onStepMs: (stepMs: number | null) => void
}

export const ChangesSection = ({ trial, trace, diagnosis, name, stepMs, onStepMs }: ChangesSectionProps) => {
  const { ref, width } = useWidth()
  const changes = useChanges(trial)
  const { off, now, changed } = changes
  const nowNs = trial.replay.replayedNs
  const isChanged = changed !== now
  const said = stepWords(trial, trace, diagnosis)
  const estimatedUs = diagnosis.steps?.estimatedUs ?? null
  const [isDragging, setDragging] = useState(false)
  const findings = [...diagnosis.findings, ...diagnosis.minor].filter(({ without }) => without)
  return (
    <section className="changes stack-16" aria-labelledby="changes-title" data-testid="changes">
      <div className="cluster-8-12 split">
        <h2 id="changes-title">What each change would gain{name !== null && `: ${name}`}</h2>
        <Button look="small" className="no-print" label="Reset" isOff={!isChanged} onClick={changes.reset} />
      </div>
      <div className="changes-parts">
        <div className="stack-16 top">
          <CauseSwitches {...{ findings, nowNs, off }} isPage={said.isPage} onTurn={changes.turn} />
          {!said.isPage && (
            <StepTime
              knownNs={trial.replay.unprofiledNs}
              estimatedNs={estimatedUs === null ? null : 1e3 * estimatedUs}
              given={stepMs}
              onGiven={onStepMs}
            />
          )}
        </div>
        <div className="changes-step stack-12">
          <StepFigures
            nowNs={nowNs}
            predicted={isChanged ? changed.predicted : null}
            of={said.of}
            isDragging={isDragging}
          />
          <div ref={ref}>
            <StepStrips {...{ changes, said, width, isDragging, setDragging }} />
          </div>
        </div>
      </div>
      <p className="small quiet">
        <Words text={errorText(diagnosis)} />{' '}
        <a href={addressOf({ page: 'method', section: 'replay' })}>
          How the replay works, and where it fails
        </a>
      </p>
      <SaidAtRest text={spokenStep(changes, said.step)} restMs={SAID_AFTER_MS} data-testid="changes-said" />
    </section>
  )
}

function stepWords(trial: Trial, { info }: Trace, { steps }: Diagnosis): StepWords {
  if (info.experiment === RECORDED_PAGE) {
    const step = steps ? pageStep(steps) : 'the recorded work'
    const now = steps?.from === 'frames' ? 'a typical frame, as recorded' : 'as recorded'
    return { isPage: true, step, of: `${step}, as recorded`, now }
  }
  const isTimed = trial.replay.unprofiledNs !== null
  return {
    isPage: false,
    step: 'a step',
    of: isTimed
      ? `a step, ${steps?.errorsOf === 'estimated' ? 'estimated' : 'timed'} without the profiler`
      : 'a step, as recorded',
    now: isTimed ? 'as recorded, less what the profiler added' : 'a typical step, as recorded',
  }
}

/** For who does not see the figure change. */
function spokenStep({ trial, now, changed }: Changes, step: string): string {
  const { stepNs, lowNs, highNs } = changed.predicted
  const subject = `${step.charAt(0).toUpperCase()}${step.slice(1)}`
  return changed === now
    ? `${subject} takes ${durationText(trial.replay.replayedNs)}.`
    : `${subject} would take ${durationText(stepNs)}, predicted; ${durationRangeText(lowNs, highNs)}.`
}
