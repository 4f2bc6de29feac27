/** Loads the profiles of a lesson, all at once (a few KiB each): the table beside the reader's figures wants every one. */
import { useEffect, useState } from 'react'
import type { CudaProfile } from '../../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { readProfile, type Profile } from '../../state/profile'
import { recordingAddress } from '../recording-address'

/** What came of loading one file: the profile, or why there is none. */
type Loaded = { readonly profile: Profile } | { readonly reason: string }
export type LoadedById = Readonly<Record<string, Loaded>>

async function loadProfile({ file }: Pick<CudaProfile, 'file'>): Promise<Loaded> {
  try {
    const response = await fetch(recordingAddress(file))
    if (!response.ok) return { reason: `the server answered ${String(response.status)}` }
    const read = await readProfile(new Uint8Array(await response.arrayBuffer()), 'recorded')
    return read.ok ? { profile: read.value } : { reason: read.error.message }
  } catch (thrown) {
    return { reason: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

export function useProfiles(profiles: readonly CudaProfile[]): LoadedById {
  const [loaded, setLoaded] = useState<LoadedById>({})
  useEffect(() => {
    let isWanted = true
    for (const profile of profiles)
      inBackground(
        loadProfile(profile).then((result) => {
          if (isWanted) setLoaded((before) => ({ ...before, [profile.id]: result }))
        }),
      )
    return () => {
      isWanted = false
    }
  }, [profiles])
  return loaded
}

export const profileOf = (loaded: LoadedById, id: string): Profile | null => {
  const one = loaded[id]
  return one && 'profile' in one ? one.profile : null
}
