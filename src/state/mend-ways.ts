/**
 * Other ways to mend than the lab's own: their programs, and one run of each on the model beside the lab's own, on the same work. Loaded and
 * run when the visitor opens them and at no other time. Nothing is modelled while something is measured, here or in another tab.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { toFault, type Fault } from '../base/fault'
import type { Plan } from '../mend/types'
import type { Way } from '../mend/words'
import { mendKey, type OpenMend } from './mend-store'
import { modelledOf, type Modelled, type MendTypedParts } from './mend-typed'

/** Then it is asked again whether something is measured. */
const AGAIN_MS = 500

interface WaysState {
  /** Of the mend; null: none was opened. */
  readonly key: string | null
  /** Null while they are loaded. */
  readonly ways: readonly Way[] | null
  /** The lab's own first, then those of `ways`: as far as they were modelled. */
  readonly modelled: readonly Modelled[]
  readonly isRunning: boolean
  readonly fault: Fault | null
}

export type MendWaysParts = Omit<MendTypedParts, 'load'> & {
  readonly load: () => Promise<
    Awaited<ReturnType<MendTypedParts['load']>> & {
      readonly waysOf: (lesson: string) => Promise<readonly Way[]>
    }
  >
}

export interface MendWaysStore {
  readonly store: StoreApi<WaysState>
  /** Goes on where it was stopped. Resolves when all are modelled, or it was stopped. */
  open: (mend: OpenMend) => Promise<void>
  /** Ends what is modelled: something is measured, or nobody looks any more. */
  stop: () => void
}

const NOTHING: WaysState = { key: null, ways: null, modelled: [], isRunning: false, fault: null }

export function createMendWaysStore({ load, isMeasuring, tools }: MendWaysParts): MendWaysStore {
  const store = createStore<WaysState>(() => NOTHING)
  let underWay: AbortController | null = null
  /** The sizes of the lab's own run, which the others are given. */
  let plan: Plan | null = null

  const stop = (): void => {
    underWay?.abort()
    underWay = null
    store.setState({ isRunning: false })
  }

  const model = async (mend: OpenMend, ways: readonly Way[], signal: AbortSignal): Promise<void> => {
    const { lesson, rung } = mend
    const sources = [mend.reference, ...ways.map(({ source }) => source)]
    const isGivenUp = () => signal.aborted
    const { onModel } = await load()
    while (store.getState().modelled.length < sources.length) {
      if (isGivenUp()) return
      if (await isMeasuring()) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        continue
      }
      const at = store.getState().modelled.length
      const source = sources[at] ?? ''
      if (at === 0) plan = null
      const seen = await onModel(lesson, source, { rung, plan, signal })
      // Stopped, or the tab was hidden: it begins anew when it is opened again.
      if (!seen) return
      if (at === 0) plan = seen.plan
      const one = await modelledOf(`mends/${mendKey(mend)}/way-${String(at)}`, source, seen, tools)
      if (isGivenUp()) return
      store.setState(({ modelled }) => ({ modelled: [...modelled, one] }))
    }
  }

  return {
    store,
    stop,
    open: async (mend) => {
      stop()
      const own = new AbortController()
      underWay = own
      const key = mendKey(mend)
      if (store.getState().key !== key) store.setState({ ...NOTHING, key })
      store.setState({ isRunning: true, fault: null })
      try {
        const ways = store.getState().ways ?? (await (await load()).waysOf(mend.lesson))
        if (own.signal.aborted) return
        store.setState({ ways })
        if (mend.isTimedOnModel) await model(mend, ways, own.signal)
      } catch (thrown) {
        if (!own.signal.aborted) store.setState({ fault: toFault(thrown) })
      } finally {
        if (underWay === own) stop()
      }
    },
  }
}
