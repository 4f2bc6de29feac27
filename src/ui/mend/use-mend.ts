/** The mend of the lesson that is open: its code, its grading, and what a press of Run does. Nothing here runs on its own. */
import { useCallback, useEffect } from 'react'
import { inBackground } from '../../state/in-background'
import type { MendCode } from '../../state/mend-code'
import { mendKey, type MendResult, type MendState, type OpenMend } from '../../state/mend-store'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'
import { useMending } from './use-mending'

export interface MendOnPage {
  /** Under which the program is kept. */
  readonly key: string
  /** Null while it is loaded. */
  readonly mend: OpenMend | null
  readonly code: MendCode | null
  readonly state: MendState
  readonly result: MendResult | null
  readonly isRunning: boolean
  /** Opens another rung; the first is open at first. */
  readonly choose: (rung: number) => void
  readonly run: () => void
  readonly cancel: () => void
}

export function useMend(lesson: string): MendOnPage {
  const { lessons } = useLab()
  const { mends, mendCode } = useMending()
  const state = useStore(mends.store)
  const mend = state.mend?.lesson === lesson ? state.mend : null
  const rung = mend?.rung ?? 1
  const key = mendKey(lesson, rung)
  const code = useStore(mendCode.store, ({ lessons: all }) => all[key]) ?? null
  const result = state.results[key] ?? null

  const choose = useCallback(
    (next: number) => {
      inBackground(mends.open(lesson, next))
    },
    [mends, lesson],
  )
  useEffect(() => {
    choose(1)
  }, [choose])
  const start = mend?.start
  useEffect(() => {
    if (start !== undefined) inBackground(mendCode.open(key, start))
  }, [mendCode, key, start])
  // Nobody watches it any more, and the next page may want the device.
  useEffect(() => mends.cancel, [mends])

  const text = code?.text
  const run = useCallback(() => {
    if (text === undefined || mends.store.getState().phase === 'running') return
    const grade = async () => {
      mendCode.running(key)
      try {
        const ended = await mends.grade(lesson, rung, text)
        // A lesson’s mend is done by its first rung; the others are for whoever wants more.
        if (!ended || rung !== 1) return
        const { graded } = ended
        const { start: before, yours: after } = graded.figures
        lessons.recordMend(lesson, {
          passed: graded.passed,
          before,
          after,
          adapter: graded.evidence.environment.adapterName,
        })
      } finally {
        mendCode.ended(key)
      }
    }
    inBackground(grade())
  }, [mends, mendCode, lessons, lesson, rung, key, text])

  const isRunning = state.phase === 'running'
  return { key, mend, code, state, result, isRunning, choose, run, cancel: mends.cancel }
}
