/** A recorded profile, read in the worker and by the code of the page 'trace'; each once a visit. */
import { useEffect, useState } from 'react'
import { toFault, type Fault } from '../../../../base/fault'
import type { FoundFacts, RanksDigest } from '../../../import-worker/protocol'
import { callsIn, type Calls } from '../../../state/profile-answer'
import { inBackground } from '../../../state/in-background'
import { endedState, type RunState } from '../../../state/run-store'
import { useLab, type AppContext } from '../../lab-context'
import { fetchRecording } from '../../import/recordings'

export interface ProfileRead {
  readonly recording: string
  /** As the timeline draws it. */
  readonly run: RunState
  readonly found: FoundFacts
  readonly ranks: RanksDigest | null
  readonly calls: ReadonlyMap<string, Calls>
}

export type Reading =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly fault: Fault }
  | { readonly state: 'read'; readonly profile: ProfileRead }

const NOBODY_STOPS_IT = new AbortController().signal

async function readProfile(
  { importer, tools }: Pick<AppContext, 'importer' | 'tools'>,
  recording: string,
): Promise<Reading> {
  const fetched = await fetchRecording(recording, NOBODY_STOPS_IT)
  if (!fetched.ok) return { state: 'failed', fault: fetched.error }
  const [only, ...others] = fetched.value
  const source = only && others.length === 0 ? only.blob : { files: fetched.value }
  const ending = await importer.read(source, { origin: 'recorded', gaps: 'of-devices' })
  if (ending.status !== 'done')
    return {
      state: 'failed',
      fault:
        ending.status === 'failed' ? ending.fault : toFault(new Error('Reading the profile was stopped.')),
    }
  const { opened, found } = ending
  const { trace, placed, ranks } = opened
  return {
    state: 'read',
    profile: {
      recording,
      run: endedState(`lessons/${recording}`, { trace, placed, report: null, gaps: found.gaps }, tools),
      found,
      ranks,
      calls: callsIn(placed),
    },
  }
}

const READING: Reading = { state: 'reading' }
const asked = new Map<string, Promise<Reading>>()
const read = new Map<string, Reading>()

async function readOnce(lab: AppContext, recording: string): Promise<Reading> {
  const reading =
    asked.get(recording) ??
    readProfile(lab, recording).catch((thrown: unknown): Reading => ({
      state: 'failed',
      fault: toFault(thrown),
    }))
  asked.set(recording, reading)
  const ended = await reading
  // What failed is tried again by the next who asks.
  if (ended.state === 'failed') asked.delete(recording)
  else read.set(recording, ended)
  return ended
}

/** All of these, in their order. An empty list reads nothing. To be given a list that stays the same. */
export function useReadProfiles(recordings: readonly string[]): readonly Reading[] {
  const lab = useLab()
  const [ended, setEnded] = useState<ReadonlyMap<string, Reading>>(() => new Map(read))
  useEffect(() => {
    let isWanted = true
    const readAll = async () => {
      // One after the other: each worker wants a core of its own.
      for (const recording of recordings) {
        if (!isWanted) return
        const one = await readOnce(lab, recording)
        setEnded((before) => (isWanted ? new Map(before).set(recording, one) : before))
      }
    }
    inBackground(readAll())
    return () => {
      isWanted = false
    }
  }, [lab, recordings])
  return recordings.map((recording) => ended.get(recording) ?? READING)
}
