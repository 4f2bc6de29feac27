/**
 * What joins the words of a lesson with the picture beside them: a term lights its part of the picture while its definition is open, and
 * 'next gap' goes there. A page without a picture has no focus, and terms only define.
 */
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { TermKey } from './parse-prose'

/** What a picture can be asked to do. */
export interface Picture {
  readonly nextGap: () => void
}

export interface TermFocus {
  readonly lit: TermKey | null
  readonly light: (key: TermKey | null) => void
  /** Whether there is a picture on the page that `nextGap` would move. */
  readonly hasPicture: boolean
  readonly nextGap: () => void
  /** Of several pictures the one that came first is moved. Returns what takes it away again. */
  readonly register: (picture: Picture) => () => void
}

const TermFocusContext = createContext<TermFocus | null>(null)

export const useTermFocus = (): TermFocus | null => useContext(TermFocusContext)

export const TermFocusProvider = ({ children }: { readonly children: ReactNode }) => {
  const [lit, light] = useState<TermKey | null>(null)
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const register = useCallback((picture: Picture) => {
    setPictures((before) => [...before, picture])
    return () => {
      setPictures((before) => before.filter((each) => each !== picture))
    }
  }, [])
  const value = useMemo(
    (): TermFocus => ({
      lit,
      light,
      hasPicture: pictures.length > 0,
      nextGap: () => {
        pictures[0]?.nextGap()
      },
      register,
    }),
    [lit, pictures, register],
  )
  return <TermFocusContext value={value}>{children}</TermFocusContext>
}

/** For a picture: `nextGap` may be another function on every render. */
export function usePicture(nextGap: () => void): void {
  const register = useContext(TermFocusContext)?.register
  const latest = useRef(nextGap)
  useEffect(() => {
    latest.current = nextGap
  })
  useEffect(
    () =>
      register?.({
        nextGap: () => {
          latest.current()
        },
      }),
    [register],
  )
}
