/**
 * The reader's changes to a replayed profile or page: causes switched off, blocks shortened; and the step
 * then.
 */
import { useCallback, useMemo, useState } from 'react'
import { unpackTrial } from '../../../analysis/replay/packed-trial'
import type { Trace } from '../../../trace/schema'
import type { FoundTrial } from '../../import-worker/protocol'

export type Changes = ReturnType<typeof useChanges>

const NONE: readonly string[] = []
const WHOLE: ReadonlyMap<number, number> = new Map<number, number>()

/** @param parts into how many the picture of a step can be told apart */
export function useChanges({ packed }: FoundTrial, { spans }: Trace, parts: number) {
  const trial = useMemo(() => unpackTrial(packed, spans.kind), [packed, spans])
  /** Causes, or 'host-code:NAME'. */
  const [off, setOff] = useState(NONE)
  /** The remaining share of each block's host time; blocks that keep all of it are left out. */
  const [shares, setShares] = useState(WHOLE)
  const now = useMemo(() => trial.tried(NONE, WHOLE, parts), [trial, parts])
  const isChanged = off.length > 0 || shares.size > 0
  const changed = useMemo(
    () => (isChanged ? trial.tried(off, shares, parts) : now),
    [trial, off, shares, parts, isChanged, now],
  )
  const turn = useCallback(
    (cause: string, isOff: boolean) =>
      setOff((before) => [...before.filter((each) => each !== cause), ...(isOff ? [cause] : [])]),
    [],
  )
  const shorten = useCallback(
    (block: number, share: number) =>
      setShares((before) => {
        const after = new Map(before)
        if (share >= 1) after.delete(block)
        else after.set(block, Math.max(0, share))
        return after
      }),
    [],
  )
  const reset = useCallback(() => {
    setOff(NONE)
    setShares(WHOLE)
  }, [])
  return { trial, off, shares, now, changed, turn, shorten, reset }
}
