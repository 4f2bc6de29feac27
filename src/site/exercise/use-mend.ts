/** The mend of the open lesson: its code, its grading, and what a press of Run does. */
import { useCallback, useEffect } from 'react'
import { inBackground } from '../state/in-background'
import { EMPTY_PROGRESS } from '../state/lesson-store'
import type { MendCode } from '../state/mend-code'
import { mendKey, type MendResult, type MendState, type OpenMend } from './store'
import { useLab } from '../ui/lab-context'
import { useStore } from '../ui/use-store'
import { useMending } from './use-mending'

export interface MendOnPage {
  /** Under which the program is kept. */
  readonly key: string
  /** Null while it is loaded. */
  readonly mend: OpenMend | null
  /** Rungs that were passed. */
  readonly passed: readonly number[]
  readonly code: MendCode | null
  readonly state: MendState
  readonly result: MendResult | null
  readonly isRunning: boolean
  /** The visitor has changed the program. */
  readonly write: (text: string) => void
  readonly run: () => void
  readonly cancel: () => void
}

const NONE: readonly number[] = []

/** The rung that the address names, from 1; else the first that was not passed, which the address then keeps: also when it is passed. */
function useRung(passed: readonly number[], open: OpenMend | null): number {
  const { route } = useLab()
  const { route: place } = useStore(route.store)
  const named = place.page === 'lesson' && place.screen === 'mend' ? Number(place.step) : 0
  const isNamed = Number.isInteger(named) && named >= 1
  useEffect(() => {
    if (!isNamed && open && open.rungs > 1 && place.page === 'lesson' && place.screen === 'mend')
      route.replace({ ...place, step: String(open.rung) })
  }, [route, place, isNamed, open])
  if (isNamed) return named
  let next = 1
  while (passed.includes(next)) next += 1
  return next
}

export function useMend(lesson: string): MendOnPage {
  const { lessons } = useLab()
  const { mends, mendCode } = useMending()
  const state = useStore(mends.store)
  const { rungs: passed = NONE } = useStore(lessons.store, (all) => all.lessons[lesson]) ?? EMPTY_PROGRESS
  const mend = state.mend?.lesson === lesson ? state.mend : null
  const rung = useRung(passed, mend)
  const key = mend ? mendKey(mend) : ''
  const code = useStore(mendCode.store, ({ lessons: all }) => all[key]) ?? null
  const result = state.results[key] ?? null

  useEffect(() => {
    inBackground(mends.open(lesson, rung))
  }, [mends, lesson, rung])
  const start = mend?.start
  useEffect(() => {
    if (start !== undefined) inBackground(mendCode.open(key, start))
  }, [mendCode, key, start])
  // Nobody watches it any more, and the next page may want the device.
  useEffect(() => mends.cancel, [mends])

  const text = code?.text
  const write = useCallback(
    (next: string) => {
      mendCode.write(key, next)
    },
    [mendCode, key],
  )
  const run = useCallback(() => {
    if (!mend || text === undefined || mends.store.getState().phase === 'running') return
    const grade = async () => {
      mendCode.running(key)
      try {
        const ended = await mends.grade(mend, text)
        if (!ended) return
        const { graded } = ended
        // What is kept is what programs did on this visitor's device, also when it has one later.
        if (graded.evidence.isModelled === true) return
        const { start: before, yours: after } = graded.figures
        // A lesson’s mend is done by its first rung; the others are for whoever wants more.
        lessons.recordMend(lesson, mend.rung, {
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
  }, [mends, mendCode, lessons, lesson, mend, key, text])

  const isRunning = state.phase === 'running'
  return {
    key,
    mend,
    passed,
    code,
    state,
    result,
    isRunning,
    write,
    run,
    cancel: mends.cancel,
  }
}
