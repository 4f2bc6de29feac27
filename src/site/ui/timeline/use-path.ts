/**
 * The critical path on demand: followed when first asked for, drawn by the timeline, gone when
 * other data are shown.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { FoundFacts, RanksDigest } from '../../import-worker/protocol'
import { inBackground } from '../../state/in-background'
import type { DrawnPath, Timeline } from '../../../timeline'

/** `path` null: not shown. `problem`: why there is none to show; '' else. */
export function usePath(timeline: Timeline | null, find: (() => Promise<DrawnPath>) | undefined) {
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
  useEffect(() => {
    if (!timeline || !find) return undefined
    const show = async (): Promise<void> => {
      asked.current += 1
      const mine = asked.current
      if (path) {
        timeline.showPath(null)
        return
      }
      const found = await find().catch((): DrawnPath => ({
        parts: [],
        problems: ['What follows it could not be loaded: reload the page.'],
      }))
      if (mine !== asked.current) return
      if (found.parts.length > 0) timeline.showPath(found)
      else setProblem(found.problems.join(' '))
    }
    return timeline.on('ask', (what) => {
      if (what === 'path') inBackground(show())
    })
  }, [timeline, find, path])
  return { path, problem }
}

/**
 * The path of a file as the import worker followed it: the same function while the file is the
 * same.
 */
export function usePathOfFile(found: FoundFacts | null, ranks: RanksDigest | null): () => Promise<DrawnPath> {
  const isJoined = (ranks?.ranks.count ?? 0) > 1
  return useCallback(async (): Promise<DrawnPath> => {
    if (found && !isJoined)
      return (await import('../../../analysis/drawn-path')).drawnPathOfColumns(found.path)
    const problem = isJoined
      ? 'It is not followed across ranks: open the file of one rank for its own.'
      : 'It has not been followed to its end.'
    return { parts: [], problems: [problem] }
  }, [found, isJoined])
}
