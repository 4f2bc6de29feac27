/** The mend of the lesson that is open: its code, its grading, and what a press of Run does. Nothing here runs on its own. */
import { useCallback, useEffect } from 'react'
import { inBackground } from '../../state/in-background'
import type { MendCode } from '../../state/mend-code'
import type { MendResult, MendState, OpenMend } from '../../state/mend-store'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'
import { useMending } from './use-mending'

export interface MendOnPage {
  /** Null while it is loaded. */
  readonly mend: OpenMend | null
  readonly code: MendCode | null
  readonly state: MendState
  readonly result: MendResult | null
  readonly isRunning: boolean
  readonly run: () => void
  readonly cancel: () => void
}

export function useMend(lesson: string): MendOnPage {
  const { lessons } = useLab()
  const { mends, mendCode } = useMending()
  const state = useStore(mends.store)
  const mend = state.lesson === lesson ? state.mend : null
  const code = useStore(mendCode.store, ({ lessons: all }) => all[lesson]) ?? null
  const result = state.results[lesson] ?? null

  useEffect(() => {
    inBackground(mends.open(lesson))
  }, [mends, lesson])
  const start = mend?.start
  useEffect(() => {
    if (start !== undefined) inBackground(mendCode.open(lesson, start))
  }, [mendCode, lesson, start])
  // Nobody watches it any more, and the next page may want the device.
  useEffect(() => mends.cancel, [mends])

  const text = code?.text
  const run = useCallback(() => {
    if (text === undefined || mends.store.getState().phase === 'running') return
    const grade = async () => {
      mendCode.running(lesson)
      try {
        const ended = await mends.grade(lesson, text)
        if (!ended) return
        const { graded } = ended
        const { start: before, yours: after } = graded.figures
        lessons.recordMend(lesson, {
          passed: graded.passed,
          before,
          after,
          adapter: graded.evidence.environment.adapterName,
        })
      } finally {
        mendCode.ended(lesson)
      }
    }
    inBackground(grade())
  }, [mends, mendCode, lessons, lesson, text])

  return { mend, code, state, result, isRunning: state.phase === 'running', run, cancel: mends.cancel }
}
