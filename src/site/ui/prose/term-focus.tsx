/**
 * Joins the words of a lesson with the picture beside them: a term lights its part of the picture while its definition is open. A page
 * without a picture has no focus, and terms only define.
 */
import { createContext, Suspense, useContext, useMemo, useState, type ReactNode } from 'react'
import type { TermKey } from './parse-prose'

export interface TermFocus {
  readonly lit: TermKey | null
  readonly light: (key: TermKey | null) => void
}

const TermFocusContext = createContext<TermFocus | null>(null)

export const useTermFocus = (): TermFocus | null => useContext(TermFocusContext)

/** Where a screen of a lesson stands, loaded or not yet. */
export const ScreenRoom = ({ children }: { readonly children: ReactNode }) => {
  const [lit, light] = useState<TermKey | null>(null)
  const value = useMemo(() => ({ lit, light }), [lit])
  return (
    <TermFocusContext value={value}>
      <Suspense fallback={<p className="loading">Loading.</p>}>{children}</Suspense>
    </TermFocusContext>
  )
}
