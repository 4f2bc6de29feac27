/**
 * The timeline of a recorded profile, as the page 'trace' draws it; nothing can be written on it.
 */
import { useMemo } from 'react'
import { adapterName, dateOf } from '../run-words'
import { TimelineView } from '../run/TimelineView'
import { usePathOfFile } from '../timeline/use-path'
import type { Timeline } from '../../../timeline/types'
import { FaultError } from '../../../base/fault'
import { loadOnce, type LoadOnce } from '../../../base/load-once'
import { callsIn } from '../../state/profile-answer'
import { endedState } from '../../state/run-store'
import { useLab, type AppContext } from '../lab-context'
import { fetchRecording, findRecording } from '../import/recordings'
import { useLoaded, type Loaded } from '../use-loaded'

/**
 * A recorded profile, read in the worker and by the code of the page 'trace'; each once a visit.
 */
export type ProfileRead = Awaited<ReturnType<typeof readProfile>>

const NOBODY_STOPS_IT = new AbortController().signal

async function readProfile({ importer }: Pick<AppContext, 'importer'>, recording: string) {
  const fetched = await fetchRecording(recording, NOBODY_STOPS_IT)
  if (!fetched.ok) throw new FaultError(fetched.error)
  const [only, ...others] = fetched.value
  const source = only && others.length === 0 ? only.blob : { files: fetched.value }
  const stepMs = findRecording(recording)?.stepMs
  const ending = await importer.read(source, { origin: 'recorded', gaps: 'of-devices', stepMs })
  if (ending.status === 'failed') throw new FaultError(ending.fault)
  if (ending.status !== 'done') throw new Error('Reading the profile was stopped.')
  const { opened, found } = ending
  const { trace, placed, ranks } = opened
  return {
    recording,
    run: endedState(`lessons/${recording}`, { trace, placed, report: null, gaps: found.gaps }),
    found,
    ranks,
    calls: callsIn(placed),
  }
}

const readers = new WeakMap<AppContext['importer'], LoadOnce<ProfileRead>>()

function readerOf(lab: AppContext): LoadOnce<ProfileRead> {
  const reader = readers.get(lab.importer) ?? loadOnce((recording: string) => readProfile(lab, recording))
  readers.set(lab.importer, reader)
  return reader
}

/** Null reads nothing. */
export function useReadProfile(recording: string | null): Loaded<ProfileRead> {
  const reader = readerOf(useLab())
  const load = useMemo(() => (recording === null ? null : () => reader.load(recording)), [reader, recording])
  const read = useLoaded(load)
  const known = recording === null ? undefined : reader.loaded(recording)
  return known ? { value: known, fault: null } : read
}

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
  const findPath = usePathOfFile(found, ranks)
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
