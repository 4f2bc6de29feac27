/**
 * A Timeline in a component's life: made when its element appears, fed with data, disposed when it
 * goes.
 */
import { useCallback, useLayoutEffect, useState } from 'react'
import {
  createTimeline,
  type AreaSelection,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'

export function useTimeline(data: TimelineData) {
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const [selected, setSelected] = useState<Target | null>(null)
  const [area, setArea] = useState<AreaSelection | null>(null)
  const [following, setFollowing] = useState(false)
  /** That all rows need, CSS px; 0 before the first data. */
  const [heightPx, setHeightPx] = useState(0)
  /** What was done to a lane last. */
  const [laneSaid, setLaneSaid] = useState('')

  /** Ref for the element that the canvas fills. */
  const mount = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined
    const made = createTimeline(element)
    made.on('select', setSelected)
    made.on('area', setArea)
    made.on('layout', setHeightPx)
    made.on('lanes', setLaneSaid)
    made.on('view', (_, isFollowing) => setFollowing(isFollowing))
    setTimeline(made)
    return () => {
      made.dispose()
      setTimeline(null)
    }
  }, [])
  // Before anything is painted: what stands below the rows would move when their height is known.
  useLayoutEffect(() => {
    timeline?.setData(data)
  }, [timeline, data])
  return { mount, timeline, selected, area, following, heightPx, laneSaid }
}
