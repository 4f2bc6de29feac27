/** The model of the run on the page, asked for by a press: in a worker that ends with it, and never while something is measured. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { StoryPlan } from '../../lessons/lesson'
import { modelBeside, type BesideAnswer, type Whose } from '../../model/beside/client'
import type { MeasuredCard } from '../../state/card-store'
import { inBackground } from '../../state/in-background'
import { isUnderWay, type RunState } from '../../state/run-store'
import { storyOf } from '../../state/story'
import type { Report } from '../../trace/report'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'

interface ModelBeside {
  readonly asked: Whose | null
  /** Null while it runs. */
  readonly answer: BesideAnswer | null
}

const CLOSED: ModelBeside = { asked: null, answer: null }

/** The card of this machine is not that of the one on which a recording, or a run of somebody else's, was made. */
const ownOf = (own: MeasuredCard | null, { environment }: Report): MeasuredCard | null =>
  own?.card.environment.adapterName === environment.adapterName &&
  own.card.environment.userAgent === environment.userAgent
    ? own
    : null

export function useModelBeside(run: RunState, report: Report, plan: StoryPlan) {
  const lab = useLab()
  const isMeasured = useStore(lab.run.store, ({ phase }) => isUnderWay(phase))
  const [state, setState] = useState(CLOSED)
  const underWay = useRef<AbortController | null>(null)
  const close = useCallback(() => {
    underWay.current?.abort()
    underWay.current = null
    setState(CLOSED)
  }, [])
  // Another run is another picture, and one that begins is not to be disturbed.
  useEffect(() => close, [close, run, isMeasured])
  const ask = (whose: Whose) => {
    const story = storyOf(run, plan)
    if (!story || isMeasured) return
    underWay.current?.abort()
    const own = new AbortController()
    underWay.current = own
    setState({ asked: whose, answer: null })
    const answered = async (): Promise<BesideAnswer> => {
      if (await lab.mendParts.isMeasuring())
        return { why: 'Something is measured in another tab. The model is not run meanwhile.' }
      const { experiment, params, derived, environment } = report
      return await modelBeside(
        {
          whose,
          own: ownOf(lab.card.store.getState().own, report),
          report: { experiment, params, derived, environment },
          variants: story.strips.map(({ variant }) => variant),
          cut: { steps: plan.steps, isSteady: story.isSteady === true, leastNs: story.lengthNs },
        },
        own.signal,
      )
    }
    inBackground(
      answered().then(
        (answer) => {
          if (!own.signal.aborted) setState({ asked: whose, answer })
        },
        (thrown: unknown) => {
          if (!own.signal.aborted) throw thrown
        },
      ),
    )
  }
  return { ...state, isMeasured, ask, close }
}
