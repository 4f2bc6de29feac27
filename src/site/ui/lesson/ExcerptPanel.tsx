/**
 * The first steps of a run, drawn, played, and beside them the program with the line that runs lit.
 */
import { CAUSES } from '../../../timeline'
import { Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { idleTotals, type IdleVariant } from '../../../analysis/idle-totals'
import { together, type Excerpt, type ExcerptBar } from '../../../strips/excerpt'
import { excerptOf, planBefore } from '../../../strips/of-run'
import { PlaybackBar, lineAt, usePlayback } from '../strips/PlaybackBar'
import type { ExperimentLesson, ExcerptPlan } from '../../../lessons/lesson'
import type { RunState } from '../../state/run-store'
import { findMetric } from '../../../trace/report'
import { flagOf, formatQuantity } from '../format'
import { RunningProgram } from '../source/Sources'
import { ExcerptLegend } from './ExcerptLegend'
import { ExcerptStrips, type StripWords } from '../strips/ExcerptStrips'
import type { Meta } from '../../../experiments/catalog'

/**
 * What stands beside each strip, and inside its idle time: shares of the whole run, not of the
 * steps in view.
 */
function useStripWords(lesson: ExperimentLesson, run: RunState | null): (variant: string) => StripWords {
  const totals = useMemo(() => (run?.placed ? idleTotals(run.placed.trace, run.gaps) : []), [run])
  const report = run?.report
  return useCallback(
    (variant: string): StripWords => {
      const { figure, words } = lesson.excerpt
      const metric = report ? findMetric(report.metrics, figure, variant) : undefined
      const flag = metric ? flagOf(metric) : ''
      return {
        figure:
          metric?.value == null
            ? null
            : `${words} ${formatQuantity(metric.value, metric.unit, figure)}${flag === '' ? '' : ` (${flag})`}`,
        idle: idleLabels(totals, variant),
      }
    },
    [totals, report, lesson],
  )
}

/** Of a variant: why its device was idle, longest words first; none where it was next to never. */
export function idleLabels(totals: readonly IdleVariant[], variant: string): StripWords['idle'] {
  const {
    causes: [first] = [],
    extentNs = 0,
    idleNs = 0,
  } = totals.find((each) => each.variant === variant) ?? {}
  const share = extentNs > 0 ? idleNs / extentNs : 0
  if (!first || share < 0.02) return []
  const percent = formatQuantity(share, 'ratio')
  const cause = CAUSES[first.cause].label
  return [`idle ${percent}: ${cause}`, `${percent} ${cause}`, `idle ${percent}`]
}

export interface ExcerptPanelProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly run: RunState
  /** With the replay, and the program beside it. */
  readonly isCloser: boolean
  /** Another cut than the lesson's own. */
  readonly plan?: ExcerptPlan | undefined
}

export const ExcerptPanel = ({ lesson, meta, run, isCloser, plan = lesson.excerpt }: ExcerptPanelProps) => {
  const excerpt = useMemo(() => excerptOf(run, plan), [run, plan])
  const words = useStripWords(lesson, run)
  return (
    <ExcerptView
      key={run.info?.startedAt}
      {...{ excerpt, words }}
      staging={lesson.excerpt.staging}
      wanted={lesson.prediction.metric.variant}
      isCloser={isCloser}
      code={
        isCloser
          ? ({ variant, line, isPlayingBack }) => (
              <RunningProgram {...{ meta, run, variant }} lit={line ?? (isPlayingBack ? null : 'hottest')} />
            )
          : null
      }
    />
  )
}

interface CardStripsProps {
  readonly lesson: ExperimentLesson
  readonly run: RunState
  readonly cut: Pick<ExcerptPlan, 'variants' | 'steps'>
}

/** Some of the strips alone, in a card. */
export const CardStrips = ({ lesson, run, cut }: CardStripsProps) => {
  const excerpt = useMemo(() => excerptOf(run, { ...lesson.excerpt, ...cut }), [run, lesson, cut])
  const words = useStripWords(lesson, run)
  return excerpt && <ExcerptStrips {...{ excerpt, words }} withStaging={lesson.excerpt.staging} atNs={null} />
}

/** What a strip of a pair is called: by variant, and by which of the two runs it is of. */
const pairName = (variant: string, isAfter: boolean): string => `${variant}, ${isAfter ? 'after' : 'before'}`

export interface ExcerptPairProps {
  readonly lesson: ExperimentLesson
  /** Null: the lesson's own run has not been made. */
  readonly before: RunState | null
  readonly after: RunState
  readonly plan: ExcerptPlan
  /** What stands in the run before for each variant of the plan, where it is another. */
  readonly counterparts?: readonly string[] | undefined
}

/** Two runs in one picture, each variant's strip above its other one, on one scale. */
export const ExcerptPair = ({ lesson, before, after, plan, counterparts }: ExcerptPairProps) => {
  const excerpt = useMemo(
    () => pairOf(before, after, plan, counterparts),
    [before, after, plan, counterparts],
  )
  const wordsBefore = useStripWords(lesson, before)
  const wordsAfter = useStripWords(lesson, after)
  const words = useCallback(
    (name: string): StripWords => {
      const [variant = '', which] = name.split(', ')
      return (which === 'before' ? wordsBefore : wordsAfter)(variant)
    },
    [wordsBefore, wordsAfter],
  )
  return (
    <ExcerptView
      key={`${before?.info?.startedAt ?? ''} ${after.info?.startedAt ?? ''}`}
      {...{ excerpt, words }}
      staging={lesson.excerpt.staging}
      wanted={pairName(lesson.prediction.metric.variant, true)}
      code={null}
      below={
        before && excerpt && !excerpt.strips.some(({ variant }) => variant.endsWith(pairName('', false))) ? (
          <p className="small quiet">The earlier run has none of these versions.</p>
        ) : null
      }
    />
  )
}

/** Null where neither can be drawn. */
function pairOf(
  before: RunState | null,
  after: RunState,
  plan: ExcerptPlan,
  counterparts: readonly string[] = [],
): Excerpt | null {
  const counterpartOf = (variant: string) => counterparts[plan.variants.indexOf(variant)] ?? variant
  const planned = before && planBefore(before, after, plan, counterpartOf)
  const drawn = excerptOf(after, plan)?.strips ?? []
  const hasBefore = drawn.some(({ variant }) => planned?.variants.includes(counterpartOf(variant)))
  const partOf = (run: RunState, variant: string, isAfter: boolean) => ({
    cut: (leastNs: number) => excerptOf(run, { ...plan, variants: [variant] }, leastNs),
    name: hasBefore ? pairName(variant, isAfter) : variant,
  })
  return together(
    drawn.flatMap(({ variant }) => {
      const its = counterpartOf(variant)
      return [
        ...(before && planned?.variants.includes(its) ? [partOf(before, its, false)] : []),
        partOf(after, variant, true),
      ]
    }),
  )
}

/** The line of a strip's program that the picture stands at. */
interface Lit {
  readonly variant: string
  readonly line: ExcerptBar | null
  readonly isPlayingBack: boolean
}

interface ExcerptViewProps {
  readonly excerpt: Excerpt | null
  readonly words: (variant: string) => StripWords
  readonly staging: boolean
  /** The strip in focus at first, if it is there. */
  readonly wanted: string
  /** The program of the strip in focus, with the line that runs. */
  readonly code: ((now: Lit) => ReactNode) | null
  /** Where the program stands elsewhere: the line that runs, of the strip in focus. */
  readonly onLine?: (variant: string, line: ExcerptBar | null) => void
  /** Under the strips and their playback, beside the program. */
  readonly below?: ReactNode
  /** Whether it can be replayed. */
  readonly isCloser?: boolean
}

export const ExcerptView = ({ excerpt, ...rest }: ExcerptViewProps) =>
  excerpt ? (
    <Told {...{ excerpt }} {...rest} />
  ) : (
    <p className="quiet">This run keeps no picture of these versions.</p>
  )

const Told = ({
  excerpt,
  words,
  staging,
  wanted,
  code,
  onLine,
  below = null,
  isCloser = true,
}: Omit<ExcerptViewProps, 'excerpt'> & { readonly excerpt: Excerpt }) => {
  const playback = usePlayback(excerpt)
  const [focus, setFocus] = useState(
    excerpt.strips.find(({ variant }) => variant === wanted)?.variant ?? excerpt.strips.at(-1)?.variant ?? '',
  )
  const [picked, setPicked] = useState<ExcerptBar | null>(null)
  const strip = excerpt.strips.find(({ variant }) => variant === focus)
  const isPlayingBack = playback.atNs !== null
  // The bar under the pointer is drawn anew when a playback begins or ends, and then never reports
  // that the pointer has left it.
  const [wasPlayingBack, setWasPlayingBack] = useState(isPlayingBack)
  if (wasPlayingBack !== isPlayingBack) {
    setWasPlayingBack(isPlayingBack)
    setPicked(null)
  }
  const line = strip ? lineAt(strip, playback.atNs, picked) : null
  useEffect(() => {
    onLine?.(focus, line)
  }, [onLine, focus, line])
  const noDevice = !excerpt.strips.some(({ rows }) => rows.some(({ kind }) => kind === 'device'))
  return (
    <div className={`strips-panel stack container ${code ? 'strips-panel-code' : ''}`}>
      <div className="shrinks top stack-10">
        <ExcerptStrips
          excerpt={excerpt}
          words={words}
          withStaging={staging}
          atNs={playback.atNs}
          focus={focus}
          onFocus={setFocus}
          onPick={setPicked}
        />
        {noDevice && (
          <p className="small quiet">
            {excerpt.isDeviceTimed
              ? 'Only the host is drawn: WebGPU can time nothing here.'
              : 'There is no device lane: this browser gives no timestamps, or its two clocks could not be fitted.'}
          </p>
        )}
        <ExcerptLegend {...{ excerpt, staging, isCloser }} />
        {isCloser && <PlaybackBar playback={playback} strip={strip} />}
        {below}
      </div>
      {code && (
        <div className="strips-code shrinks" data-scrolls>
          <Suspense fallback={null}>{code({ variant: focus, line, isPlayingBack })}</Suspense>
        </div>
      )}
    </div>
  )
}
