/** The timeline of a recorded profile, as the page 'trace' draws it; nothing can be written on it. */
import { useMemo } from 'react'
import { adapterName, dateOf } from '../run-words'
import { TimelineView } from '../run/TimelineView'
import { usePathOfFile } from '../timeline/use-path'
import type { Timeline } from '../../../timeline/types'
import type { ProfileRead } from './use-read-profile'

/** Where and when it was recorded. */
export const originOf = ({
  run: { info },
}: Pick<ProfileRead, 'run'>): { readonly name: string; readonly date: string } =>
  info ? { name: adapterName(info), date: dateOf(info) } : { name: 'an unknown GPU', date: '' }

interface ProfileTimelineProps {
  readonly profile: ProfileRead
  /** Why the device was idle is written at its gaps: where that is the question, it is left out. */
  readonly hasCauses?: boolean
  /** To be given a function that stays the same. */
  readonly onReady?: (timeline: Timeline | null) => void
}

export const ProfileTimeline = (props: ProfileTimelineProps) => {
  const {
    profile: { run, found, ranks },
    hasCauses = true,
    onReady,
  } = props
  const findPath = usePathOfFile(found, ranks, false)
  const shown = useMemo(() => (hasCauses ? run : { ...run, gaps: [] }), [run, hasCauses])
  return (
    <div className="trace-timeline shrinks">
      <TimelineView
        run={shown}
        empty="This file holds no spans to draw."
        tall
        findPath={findPath}
        {...(onReady ? { onReady } : {})}
      />
    </div>
  )
}
