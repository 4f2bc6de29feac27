/**
 * What the model says of the program as it stands, at each pause of typing, below the program that it began as. Room for it is kept before. In one
 * column it stays in sight above the editor, with the program's own strip alone (mend.css).
 */
import { memo, useCallback, useMemo } from 'react'
import type { StoryPlan } from '../../lessons/lesson'
import type { MendFigure } from '../../mend/types'
import type { Modelled } from '../../state/mend-typed'
import { formatQuantity } from '../format'
import { ModelledMark } from '../ModelledMark'
import { Quantities } from '../prose/Inline'
import { StoryStrips, type StripWords } from '../story/StoryStrips'
import { hasStaging, idleWords, programOf, storyOfMend } from './MendStory'

/** '0.70 ms a step, computes 92 %': what of it is known. */
export function figuresOf({ tookMs, steps, busy }: Modelled): string | null {
  const parts = [
    ...(tookMs === null ? [] : [`${formatQuantity(tookMs, 'ms')} ${steps > 0 ? 'a step' : 'a call'}`]),
    ...(busy === null ? [] : [`computes ${formatQuantity(busy, 'ratio')}`]),
  ]
  return parts.length > 0 ? parts.join(', ') : null
}

const INTRO =
  'Whenever you pause, your program runs on a model of an NVIDIA H200 under Chromium, and its first steps are drawn here.'
const UNTIMED = 'How long it takes, the model cannot tell.'

/** What is to be said of it above the picture. */
function saysOf(modelled: Modelled | null, isTimed: boolean, isDrawn: boolean): string {
  if (!modelled) return isTimed ? INTRO : `Whenever you pause, your program is tried on a model. ${UNTIMED}`
  const { stop, isUnknown } = modelled
  if (stop) return `${stop.text}${stop.line === null ? '' : ` (line ${String(stop.line)})`}`
  if (isUnknown) return 'It runs a kernel of its own: how long that takes, the model cannot tell.'
  if (!isTimed) return `At your last pause it ran without an error. ${UNTIMED}`
  if (!isDrawn) return 'It came to its end, and asks nothing of the GPU: there is nothing to draw.'
  return `At your last pause: ${figuresOf(modelled) ?? 'it came to its end'}.`
}

/** Not drawn anew at each keystroke: what it shows changes with the model's answer alone. */
export const AsTyped = memo(
  ({
    modelled,
    figure,
    isTimed,
    plan,
  }: {
    /** Null: nothing was typed yet. */
    readonly modelled: { readonly start: Modelled | null; readonly yours: Modelled | null } | null
    readonly figure: MendFigure
    /** The model has times for this mend: else nothing is drawn, and no room is kept for it. */
    readonly isTimed: boolean
    readonly plan: StoryPlan
  }) => {
    const { start = null, yours = null } = modelled ?? {}
    const story = useMemo(
      () =>
        storyOfMend(
          { start: start?.run ?? null, yours: yours?.run ?? null, reference: null },
          ['start', 'yours'],
          { ...plan, variants: [figure.run] },
        ),
      [start, yours, plan, figure],
    )
    const words = useCallback(
      (name: string): StripWords => {
        const program = programOf(name) === 'start' ? start : yours
        return { figure: program && figuresOf(program), idle: idleWords(program?.run ?? null, figure.run) }
      },
      [start, yours, figure],
    )
    const before = start && figuresOf(start)
    return (
      <section
        className="mend-typed stack-4 modelled no-print"
        aria-labelledby="mend-typed-title"
        data-testid="as-typed"
      >
        <div className="mend-typed-now stack-4">
          <h3 id="mend-typed-title">
            As you type <ModelledMark />
          </h3>
          <p className="mend-typed-says small" role="status">
            <Quantities text={saysOf(yours, isTimed, story !== null)} />
            {story && before !== null && (
              <span className="mend-typed-before">
                {' '}
                Before: <Quantities text={before} />.
              </span>
            )}
          </p>
          {isTimed && (
            <div className="mend-typed-room mend-story">
              {story && (
                <StoryStrips
                  {...{ story, words }}
                  withStaging={plan.staging && hasStaging(story)}
                  atNs={null}
                />
              )}
            </div>
          )}
        </div>
        <p className="small quiet">No device is opened for it, and nothing is measured or graded.</p>
      </section>
    )
  },
)
