/** Below the lab's own: two more right programs, and when they are opened one run of each on the model, on one axis with the lab's own. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { StoryPlan } from '../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { mendKey, type OpenMend } from '../../state/mend-store'
import type { Modelled } from '../../state/mend-typed'
import { FaultNotice } from '../FaultNotice'
import { ModelledMark } from '../ModelledMark'
import { Quantities } from '../prose/Inline'
import { CodeView } from '../source/CodeView'
import { StoryStrips, type StripWords } from '../story/StoryStrips'
import { useStore } from '../use-store'
import { figuresOf } from './AsTyped'
import { hasStaging, idleWords, LABS_OWN, storyOfRuns } from './MendStory'
import { useMending } from './use-mending'
import { alike, linesWords, modelWords, untimed } from './way-words'

const Strips = ({
  programs,
  mend: { figure },
  plan,
}: {
  readonly programs: readonly { readonly name: string; readonly modelled: Modelled | undefined }[]
  readonly mend: OpenMend
  readonly plan: StoryPlan
}) => {
  const story = useMemo(
    () =>
      storyOfRuns(
        programs.map(({ name, modelled }) => ({ name, run: modelled?.run ?? null })),
        { ...plan, variants: [figure.run] },
      ),
    [programs, plan, figure],
  )
  const words = useCallback(
    (name: string): StripWords => {
      const modelled = programs.find((each) => each.name === name)?.modelled
      return {
        figure: modelled ? figuresOf(modelled) : null,
        idle: idleWords(modelled?.run ?? null, figure.run),
      }
    },
    [programs, figure],
  )
  return (
    story && (
      <div className="mend-story">
        <StoryStrips {...{ story, words }} withStaging={plan.staging && hasStaging(story)} atNs={null} />
      </div>
    )
  )
}

const Opened = ({
  mend,
  plan,
  isMeasuring,
}: {
  readonly mend: OpenMend
  readonly plan: StoryPlan
  readonly isMeasuring: boolean
}) => {
  const { mendWays } = useMending()
  const state = useStore(mendWays.store)
  useEffect(() => {
    // A grading has the machine for itself; behind it the rest is modelled.
    if (!isMeasuring) inBackground(mendWays.open(mend))
    return mendWays.stop
  }, [mendWays, mend, isMeasuring])
  const isOwn = state.key === mendKey(mend)
  const ways = isOwn ? state.ways : null
  const seen = isOwn ? state.modelled : null
  const modelled = useMemo(() => seen && alike(seen), [seen])
  const programs = useMemo(
    () =>
      [LABS_OWN, ...(ways ?? []).map(({ name }) => name)].map((name, at) => ({
        name,
        modelled: modelled?.[at],
      })),
    [ways, modelled],
  )
  if (state.fault) return <FaultNotice fault={state.fault} />
  const isDrawn = untimed(mend) === null && !(modelled?.[0]?.isUnknown ?? false)
  const left = programs.filter((program) => !program.modelled).length
  return (
    <div className="stack-16">
      {isDrawn && (
        <div className="mend-ways-model modelled stack-4">
          <p className="small" role="status">
            <ModelledMark />{' '}
            {left > 0
              ? state.isRunning || isMeasuring
                ? 'Each program runs once on a model of an NVIDIA H200 under Chromium.'
                : 'Not all of them were run on the model. Close this and open it again.'
              : 'One run of each on a model of an NVIDIA H200 under Chromium, where code between calls takes no time: nothing here was measured.'}
          </p>
          <div className="mend-ways-room" data-staging={plan.staging}>
            <Strips {...{ programs, mend, plan }} />
          </div>
        </div>
      )}
      <div className="mend-ways-code stack">
        {ways?.map((way, at) => (
          <section key={way.name} className="shrinks stack-8" aria-label={way.name}>
            <h4>{way.name}</h4>
            <p>{way.why}</p>
            <p className="small quiet">
              <Quantities
                text={[linesWords(way), modelWords(mend, modelled?.[at + 1], modelled?.[0])]
                  .filter((each) => each !== null)
                  .join(' ')}
              />
            </p>
            <CodeView title={way.name} lines={way.lines} />
          </section>
        ))}
      </div>
    </div>
  )
}

export const OtherWays = ({
  mend,
  ...rest
}: {
  readonly mend: OpenMend
  readonly plan: StoryPlan
  /** A program of this page's is graded. */
  readonly isMeasuring: boolean
}) => {
  const [isOpen, setIsOpen] = useState(false)
  if (mend.ways.length === 0) return null
  return (
    <details
      className="mend-ways no-print"
      data-testid="other-ways"
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary>
        Other ways: {mend.ways.map(({ name }) => name.charAt(0).toLowerCase() + name.slice(1)).join(', ')}
      </summary>
      {isOpen && <Opened mend={mend} {...rest} />}
    </details>
  )
}
