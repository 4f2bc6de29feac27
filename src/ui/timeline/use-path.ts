/** The critical path on demand: followed when first asked for, drawn by the timeline, gone when other data are shown. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { inBackground } from '../../state/in-background'
import type { DrawnPath, Timeline } from '../../timeline'

export interface PathState {
  /** Null: not shown. */
  readonly path: DrawnPath | null
  /** Why there is none to show; '' else. */
  readonly problem: string
  readonly toggle: () => void
}

export function usePath(timeline: Timeline | null, find: (() => Promise<DrawnPath>) | undefined): PathState {
  const [path, setPath] = useState<DrawnPath | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(
    () =>
      timeline?.on('path', (next) => {
        setPath(next)
        setProblem('')
      }),
    [timeline],
  )
  /** Whoever asked last is answered, and nobody whose run is gone. */
  const asked = useRef(0)
  useEffect(
    () => () => {
      asked.current += 1
    },
    [timeline, find],
  )
  const toggle = useCallback(() => {
    if (!timeline || !find) return
    asked.current += 1
    const mine = asked.current
    if (path) {
      timeline.showPath(null)
      return
    }
    const show = async (): Promise<void> => {
      const found = await find().catch((): DrawnPath => ({
        parts: [],
        problems: ['What follows it could not be loaded: reload the page.'],
      }))
      if (mine !== asked.current) return
      if (found.parts.length > 0) timeline.showPath(found)
      else setProblem(found.problems.join(' '))
    }
    inBackground(show())
  }, [timeline, find, path])
  useEffect(
    () =>
      timeline?.on('ask', (what) => {
        if (what === 'path') toggle()
      }),
    [timeline, toggle],
  )
  return { path, problem, toggle }
}
