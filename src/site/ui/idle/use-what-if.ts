/** The answer to a question, worked out while the page goes on; a question that is asked no longer is dropped. */
import { useEffect, useState } from 'react'
import { answerTo, type Question, type WhatIf } from '../../state/idle-time'
import { inBackground } from '../../state/in-background'
import type { RunState } from '../../state/run-store'

interface Answered extends Question {
  /** Which run was asked about: its lanes and its gaps. */
  readonly lanes: unknown
  readonly gaps: RunState['gaps']
  readonly found: WhatIf
}

/** Null until it is known. */
export function useWhatIf({ placed, gaps }: RunState, { variant, cause }: Question): WhatIf | null {
  const [answered, setAnswered] = useState<Answered | null>(null)
  useEffect(() => {
    if (!placed) return
    const stop = new AbortController()
    const work = async () => {
      const found = await answerTo({ variant, cause }, placed, gaps, stop.signal)
      if (found) setAnswered({ lanes: placed.lanes, gaps, variant, cause, found })
    }
    inBackground(work())
    return () => {
      stop.abort()
    }
  }, [placed, gaps, variant, cause])
  const isOfThis =
    answered?.lanes === placed?.lanes &&
    answered?.gaps === gaps &&
    answered.variant === variant &&
    answered.cause === cause
  return isOfThis ? answered.found : null
}
