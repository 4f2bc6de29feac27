/**
 * 'What each change would gain': causes to switch off, host blocks to drag shorter, and the step as
 * the replay then has it.
 */
import { scaleLinear } from 'd3-scale'
import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react'
import { errorText, pageStep } from '../../../analysis/diagnosis-words'
import type { Diagnosis } from '../../../analysis/findings'
import { durationRangeText, durationText, largestTimeUnit, plain } from '../../../base/figures'
import { RECORDED_PAGE, type Trace } from '../../../trace/schema'
import type { FoundTrial } from '../../import-worker/protocol'
import { addressOf } from '../../state/url'
import { useWidth } from '../../ui/figure/use-width'
import { Words } from '../../ui/verdict/Words'
import { BlockControl } from './BlockControl'
import { BlockSliders } from './BlockSliders'
import { CauseSwitches } from './CauseSwitches'
import { PredictedMark, StepFigures } from './StepFigures'
import { StepStrip } from './StepStrip'
import { StepTime } from './StepTime'
import type { Trial } from '../../../analysis/replay/trial'
import { useChanges, type Changes } from './use-changes'
import { blockName } from './words'
import './changes.css'

/** A block is worth a slider from this share of a step on. */
const SLIDER_SHARE = 0.01
const MOST_SLIDERS = 12
const HOST_HEIGHT = 30
/** A finger needs 44 px. */
const TOUCHED_HEIGHT = 44
/** A change is said when the reader rests. */
const SAID_AFTER_MS = 400

export interface ChangesSectionProps {
  readonly found: FoundTrial
  readonly trace: Trace
  readonly diagnosis: Diagnosis
  /** Name of the device where there are several. */
  readonly name: string | null
  /** Step time that the reader typed; null: that of the file. */
  readonly stepMs: number | null
  readonly onStepMs: (stepMs: number | null) => void
}

export const ChangesSection = ({ found, trace, diagnosis, name, stepMs, onStepMs }: ChangesSectionProps) => {
  const { ref, width } = useWidth()
  const changes = useChanges(found, trace, width)
  const { trial, off, shares, now, changed } = changes
  const nowNs = trial.replay.replayedNs
  const isChanged = changed !== now
  const said = stepWords(trial, trace, diagnosis)
  const [isDragging, setDragging] = useState(false)
  const findings = [...diagnosis.findings, ...diagnosis.minor].filter(({ without }) => without)
  return (
    <section className="changes stack-16" aria-labelledby="changes-title" data-testid="changes">
      <div className="cluster-8-12 split">
        <h2 id="changes-title">What each change would gain{name !== null && `: ${name}`}</h2>
        <button
          type="button"
          className="button button-small no-print"
          aria-disabled={!isChanged}
          onClick={changes.reset}
        >
          Reset
        </button>
      </div>
      <div className="changes-parts">
        <div className="stack-16 top">
          <CauseSwitches {...{ findings, nowNs, off }} isPage={said.isPage} onTurn={changes.turn} />
          {!said.isPage && <StepTime knownNs={trial.replay.unprofiledNs} given={stepMs} onGiven={onStepMs} />}
        </div>
        <div className="changes-step stack-12">
          <StepFigures
            nowNs={nowNs}
            predicted={isChanged ? changed.predicted : null}
            of={said.of}
            isDragging={isDragging}
          />
          <div ref={ref}>
            <Strips {...{ changes, said, width, isDragging, setDragging }} />
          </div>
          {off.length + shares.size > 1 && <Together changes={changes} />}
        </div>
      </div>
      <p className="small quiet">
        <Words text={said.isPage ? PAGE_ERROR : errorText(diagnosis)} />{' '}
        <a href={addressOf({ page: 'method', section: 'replay' })}>
          How the replay works, and where it fails
        </a>
      </p>
      <Said changes={changes} step={said.step} />
    </section>
  )
}

const PAGE_ERROR =
  'Ranges are as wide as those of PyTorch profiles: predictions for pages have not been compared with measured changes.'

interface StepWords {
  readonly isPage: boolean
  /** 'a frame'. */
  readonly step: string
  /** The time of a step now, and how it is known. */
  readonly of: string
  /** What the strip of the step as it is shows. */
  readonly now: string
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
    of: isTimed ? 'a step, timed without the profiler' : 'a step, as recorded',
    now: isTimed ? 'as recorded, less what the profiler added' : 'a typical step, as recorded',
  }
}

interface StripsProps {
  readonly changes: Changes
  readonly said: StepWords
  readonly width: number
  readonly isDragging: boolean
  readonly setDragging: (isDragging: boolean) => void
}

interface Drag {
  readonly block: number
  readonly fromX: number
  readonly share: number
  /** Width of the block's mark at its whole length, px of the screen. */
  readonly whole: number
}

const Strips = ({ changes, said, width, isDragging, setDragging }: StripsProps) => {
  const { trial, shares, now, changed, shorten } = changes
  const { blocks } = trial
  const choices = useMemo(() => {
    const { replayedNs } = trial.replay
    const drawn = new Set(now.picture.threads[0]?.of)
    return [...blocks.keys()]
      .filter((at) => drawn.has(at) && (blocks[at]?.nsPerStep ?? 0) > SLIDER_SHARE * replayedNs)
      .sort((a, b) => (blocks[b]?.nsPerStep ?? 0) - (blocks[a]?.nsPerStep ?? 0))
      .slice(0, MOST_SLIDERS)
  }, [trial, blocks, now])
  const [picked, setPicked] = useState<number | null>(null)
  const drag = useRef<Drag | null>(null)
  const isCoarse = useMemo(() => matchMedia('(pointer: coarse)').matches, [])
  const hostHeight = isCoarse ? TOUCHED_HEIGHT : HOST_HEIGHT
  const pxPerNs = width / now.picture.lengthNs
  const nameOf = (at: number): string => {
    const own = blocks[at]
    return own ? blockName(own) : ''
  }
  const shareOf = (at: number): number => shares.get(at) ?? 1
  const main = changed.picture.threads[0]
  const block = picked ?? choices[0] ?? -1
  const begin = (event: PointerEvent<SVGSVGElement>, at: number, timeNs: number) => {
    if (event.button !== 0) return
    const mark = main
      ? main.startNs.findIndex((start, i) => main.of[i] === at && timeNs < (main.endNs[i] ?? start))
      : -1
    const perPx = event.currentTarget.getBoundingClientRect().width / width
    const long = ((main?.endNs[mark] ?? 0) - (main?.startNs[mark] ?? 0)) * pxPerNs * perPx
    event.currentTarget.setPointerCapture(event.pointerId)
    const share = shareOf(at)
    drag.current = { block: at, fromX: event.clientX, share, whole: long / Math.max(share, 0.01) }
    setPicked(at)
  }
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (!drag.current) return
    const { block: at, fromX, share, whole } = drag.current
    const left = share + (event.clientX - fromX) / whole
    if (!isDragging) setDragging(true)
    shorten(at, Math.min(1, Math.max(0, Math.round(100 * left) / 100)))
  }
  const end = () => {
    drag.current = null
    setDragging(false)
  }
  const strip = { pxPerNs, width, hostHeight, nameOf }
  const { predicted } = changed
  return (
    <div className="step-strips stack-8">
      <p className="small">
        Now <span className="quiet">{said.now}: host above, GPU below</span>
      </p>
      <StepStrip {...strip} picture={now.picture} isPredicted={false} lit={null} />
      <p className="small">
        <PredictedMark />{' '}
        <span className="quiet">drag a block of the host shorter, or switch a cause off</span>
      </p>
      <div className="step-playground">
        <StepStrip
          {...strip}
          picture={changed.picture}
          isPredicted
          lit={picked}
          onBlock={begin}
          onMove={move}
          onEnd={end}
        >
          {main && (
            <BlockSliders
              marks={main}
              atRest={now.picture.threads[0] ?? main}
              blocks={choices}
              height={hostHeight}
              {...{ shareOf, nameOf, pxPerNs }}
              onFocus={setPicked}
              onShare={shorten}
            />
          )}
        </StepStrip>
        <Axis
          lengthNs={now.picture.lengthNs}
          {...{ width, pxPerNs }}
          range={changed === now ? null : [predicted.lowNs, predicted.highNs]}
        />
      </div>
      {choices.length > 0 && (
        <BlockControl
          {...{ blocks, choices, block }}
          step={said.step}
          share={shareOf(block)}
          onBlock={setPicked}
          onShare={(share) => {
            setPicked(block)
            shorten(block, share)
          }}
        />
      )}
    </div>
  )
}

/** Times, and the range in which the step may end. */
const Axis = ({
  lengthNs,
  width,
  pxPerNs,
  range,
}: {
  readonly lengthNs: number
  readonly width: number
  readonly pxPerNs: number
  readonly range: readonly [lowNs: number, highNs: number] | null
}) => {
  const { label, ns } = largestTimeUnit(lengthNs)
  const ticks = scaleLinear([0, lengthNs / ns], [0, width]).ticks(width < 480 ? 4 : 8)
  return (
    <svg
      className="step-svg step-axis"
      viewBox={`0 0 ${String(width)} 30`}
      width={width}
      height={30}
      aria-hidden
    >
      {range && (
        <path
          className="step-range"
          d={`M${String(range[0] * pxPerNs)} 1v8m0 -4H${String(range[1] * pxPerNs)}m0 -4v8`}
        />
      )}
      {ticks.map((tick) => {
        const x = tick * ns * pxPerNs
        return (
          <text key={tick} x={x} y={24} textAnchor={x < 12 ? 'start' : x > width - 24 ? 'end' : 'middle'}>
            {tick === 0 ? '0' : `${plain(tick)} ${label}`}
          </text>
        )
      })}
    </svg>
  )
}

/** Compares the changes' savings one by one with those together. */
const Together = ({ changes: { off, shares, trial, changed } }: { readonly changes: Changes }) => {
  const { replayedNs } = trial.replay
  const alone = useMemo(() => {
    const none = new Map<number, number>()
    return [
      ...off.map((cause) => trial.tried([cause], none, 1)),
      ...[...shares].map((own) => trial.tried([], new Map([own]), 1)),
    ].reduce((sum, { predicted }) => sum + replayedNs - predicted.stepNs, 0)
  }, [off, shares, trial, replayedNs])
  return (
    <p className="small" data-testid="together">
      <Words
        text={`One by one these changes would save ${durationText(alone)} in all; together they save ${durationText(replayedNs - changed.predicted.stepNs)}.`}
      />
    </p>
  )
}

/** For who does not see the figure change. */
const Said = ({
  changes: { trial, now, changed },
  step,
}: {
  readonly changes: Changes
  readonly step: string
}) => {
  const { stepNs, lowNs, highNs } = changed.predicted
  const subject = `${step.charAt(0).toUpperCase()}${step.slice(1)}`
  const words =
    changed === now
      ? `${subject} takes ${durationText(trial.replay.replayedNs)}.`
      : `${subject} would take ${durationText(stepNs)}, predicted; ${durationRangeText(lowNs, highNs)}.`
  const [said, setSaid] = useState('')
  const first = useRef(words)
  useEffect(() => {
    if (words === first.current) return undefined
    const timer = setTimeout(() => {
      first.current = ''
      setSaid(words)
    }, SAID_AFTER_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [words])
  return (
    <p className="visually-hidden" role="status" data-testid="changes-said">
      {said}
    </p>
  )
}
