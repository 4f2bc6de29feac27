/** The critical path on demand: followed when first asked for, drawn by the timeline, gone when other data are shown. */
import { useCallback, useEffect, useState } from 'react'
import type { DrawnPath, Timeline } from '../../timeline'

export interface PathState {
  /** Null: not shown. */
  readonly path: DrawnPath | null
  /** Why there is none to show; '' else. */
  readonly problem: string
  readonly toggle: () => void
}

export function usePath(timeline: Timeline | null, find: (() => DrawnPath) | undefined): PathState {
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
  const toggle = useCallback(() => {
    if (!timeline || !find) return
    if (path) {
      timeline.showPath(null)
      return
    }
    const found = find()
    if (found.parts.length > 0) timeline.showPath(found)
    else setProblem(found.problems.join(' '))
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
