/** A recorded profile, read in the worker and by the code of the page 'trace'; each once a visit. */
import { useMemo } from 'react'
import { FaultError } from '../../../base/fault'
import { loadOnce, type LoadOnce } from '../../../base/load-once'
import type { FoundFacts, RanksDigest } from '../../import-worker/protocol'
import { callsIn, type Calls } from '../../state/profile-answer'
import { endedState, type RunState } from '../../state/run-store'
import { useLab, type AppContext } from '../lab-context'
import { fetchRecording } from '../import/recordings'
import { useLoaded, type Loaded } from '../use-loaded'

export interface ProfileRead {
  readonly recording: string
  /** As the timeline draws it. */
  readonly run: RunState
  readonly found: FoundFacts
  readonly ranks: RanksDigest | null
  readonly calls: ReadonlyMap<string, Calls>
}

const NOBODY_STOPS_IT = new AbortController().signal

async function readProfile(
  { importer }: Pick<AppContext, 'importer'>,
  recording: string,
): Promise<ProfileRead> {
  const fetched = await fetchRecording(recording, NOBODY_STOPS_IT)
  if (!fetched.ok) throw new FaultError(fetched.error)
  const [only, ...others] = fetched.value
  const source = only && others.length === 0 ? only.blob : { files: fetched.value }
  const ending = await importer.read(source, { origin: 'recorded', gaps: 'of-devices' })
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
