/** What a component shows once it has come, without suspending: whoever asks last is answered. */
import { useEffect, useState } from 'react'
import { toFault, type Fault } from '../../base/fault'
import { inBackground } from '../state/in-background'

export interface Loaded<T> {
  /** Null until it is there. */
  readonly value: T | null
  /** Why it cannot be had. */
  readonly fault: Fault | null
}

const NOTHING = { value: null, fault: null } as const

/** @param load the same function while it is the same question; null asks for nothing */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loaded<T> {
  const [ended, setEnded] = useState<Loaded<T> & { readonly of: typeof load }>({ of: null, ...NOTHING })
  useEffect(() => {
    if (!load) return undefined
    const asked = new AbortController()
    const end = (loaded: Loaded<T>) => {
      if (!asked.signal.aborted) setEnded({ of: load, ...loaded })
    }
    inBackground(
      load(asked.signal).then(
        (value) => end({ value, fault: null }),
        (thrown: unknown) => end({ value: null, fault: toFault(thrown) }),
      ),
    )
    return () => asked.abort()
  }, [load])
  return load && ended.of === load ? ended : NOTHING
}
