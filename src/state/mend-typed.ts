/**
 * What the model says of the program in the editor, at each pause of typing. It begins with a keystroke of the visitor's and with nothing else:
 * a draft that is opened is not run. Nothing is modelled while something is measured, here or in another tab.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createYielder } from '../base/yield-to-main'
import { inBackground } from './in-background'
import type { OnModel, Plan } from '../mend/types'
import { mendKey, type OpenMend } from './mend-store'
import { endedState, type RunState } from './run-store'
import type { TraceTools } from './trace-tools'

/** Without a keystroke for so long. */
const PAUSE_MS = 500

export interface Modelled extends Omit<OnModel, 'trace' | 'plan'> {
  readonly source: string
  /** Its first steps can be drawn. */
  readonly run: RunState | null
}

/** Both are of one mend, by its key. */
interface TypedState {
  readonly key: string | null
  readonly start: Modelled | null
  readonly yours: Modelled | null
}

export interface MendTypedParts {
  readonly load: () => Promise<{
    onModel: (
      lesson: string,
      source: string,
      options: { readonly rung: number; readonly plan: Plan | null; readonly signal: AbortSignal },
    ) => Promise<OnModel | null>
  }>
  /** Here or in another tab of the site. */
  readonly isMeasuring: () => Promise<boolean>
  readonly tools: TraceTools
}

/** Told before a program runs, and after, so that the next page can say that it took the tab with it (mend-code.ts). */
interface Marks {
  readonly running: (key: string) => void
  readonly ended: (key: string) => void
}

export interface MendTypedStore {
  readonly store: StoreApi<TypedState>
  /** The visitor has typed: this is what stands there now. */
  typed: (mend: OpenMend, text: string) => void
  /** Ends what is modelled, and forgets what is to be: something is measured, or nobody looks any more. */
  stop: () => void
}

/** As it is shown. Somebody types meanwhile: each part of it is a task of its own. */
export async function modelledOf(
  owner: string,
  source: string,
  { trace, plan: _plan, ...rest }: OnModel,
  tools: TraceTools,
): Promise<Modelled> {
  const modelled = { ...rest, source, run: null }
  if (!trace || trace.spans.length === 0) return modelled
  const turns = createYielder()
  const placed = tools.place(trace)
  await turns.yieldIfDue()
  const gaps = tools.findGaps(placed)
  await turns.yieldIfDue()
  return { ...modelled, run: endedState(owner, { trace, report: null, placed, gaps }, tools) }
}

export function createMendTypedStore(
  { load, isMeasuring, tools }: MendTypedParts,
  marks: Marks,
): MendTypedStore {
  const store = createStore<TypedState>(() => ({ key: null, start: null, yours: null }))
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: { readonly key: string; readonly abort: AbortController } | null = null
  /** Of the mend last modelled. */
  let begun: { readonly key: string; readonly plan: Plan; readonly start: Modelled } | null = null

  const end = (): void => {
    if (!underWay) return
    underWay.abort.abort()
    marks.ended(underWay.key)
    underWay = null
  }
  const stop = (): void => {
    clearTimeout(timer)
    end()
  }

  const model = async (mend: OpenMend, text: string): Promise<void> => {
    const { lesson, rung } = mend
    const key = mendKey(mend)
    const own = { key, abort: new AbortController() }
    const { signal } = own.abort
    const isGivenUp = () => signal.aborted
    underWay = own
    try {
      if (await isMeasuring()) {
        if (!isGivenUp()) wait(mend, text)
        return
      }
      const { onModel } = await load()
      if (isGivenUp()) return
      marks.running(key)
      if (begun?.key !== key) {
        const seen = await onModel(lesson, mend.start, { rung, plan: null, signal })
        if (!seen) return
        const start = await modelledOf(`mends/${key}/typed-start`, mend.start, seen, tools)
        begun = { key, plan: seen.plan, start }
      }
      const { plan, start } = begun
      if (isGivenUp()) return
      let yours = start
      if (text !== mend.start) {
        const seen = await onModel(lesson, text, { rung, plan, signal })
        if (!seen || isGivenUp()) return
        yours = await modelledOf(`mends/${key}/typed`, text, seen, tools)
      }
      if (!isGivenUp()) store.setState({ key, start, yours })
    } finally {
      if (underWay === own) end()
    }
  }
  const wait = (mend: OpenMend, text: string): void => {
    timer = setTimeout(() => {
      inBackground(model(mend, text))
    }, PAUSE_MS)
  }

  return {
    store,
    typed: (mend, text) => {
      stop()
      wait(mend, text)
    },
    stop,
  }
}
