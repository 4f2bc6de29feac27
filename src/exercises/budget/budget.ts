/**
 * Budget of a learner's program: patches over one realm's WebGPU that count what the program asks
 * for, and throw before it is more than its limits. Work that a device has begun cannot be ended:
 * an endless kernel on a software adapter blocks the browser's GPU process for minutes, whatever
 * becomes of the program's worker. So it must not begin.
 *
 * Counted when a command is encoded, while a program runs. Commands that are never submitted count
 * too, and none is submitted twice: WebGPU's command buffers are submitted once.
 */
import { install } from '../../recorder/patches'
import { noSpending, SENTENCES, type Limits, type Spending } from './limits'
import { budgetTable, type DispatchCost } from './table'
import type { Realm } from '../../recorder/realm'

/** A pipeline of the lab that a program is given. */
interface GivenPipeline {
  /**
   * Workgroups of a dispatch that the lab makes of it; below, how long that takes as measured here,
   * ms.
   */
  readonly workgroups: number
  readonly ms: number
}

export type Budget = ReturnType<typeof createBudget>

/** @param realm default: this one */
export function createBudget(limits: Limits, realm: Realm = globalThis) {
  const spent = noSpending()
  let violation: string | null = null
  const state = { isOpen: false }
  const refuse = (sentence: string): never => {
    violation ??= sentence
    throw new Error(sentence)
  }
  const spend = (kind: keyof Spending, amount: number): void => {
    if (!state.isOpen) return
    const wanted = spent[kind] + amount
    // Also where it is not a number.
    if (!(wanted <= limits[kind])) refuse(SENTENCES[kind](wanted, limits[kind]))
    spent[kind] = wanted
  }
  const costs = new WeakMap<GPUComputePipeline, DispatchCost>()
  return {
    /**
     * Patches the realm. After the recorder's session has started, so that refused calls are not
     * recorded, and before the learner's code.
     *
     * @returns a function that puts back what was there. Before the recorder's session stops.
     */
    install: () => install(budgetTable({ realm, limits, state, spent, spend, refuse, costs })),
    spent: spent as Readonly<Spending>,
    /**
     * The first refusal, as a sentence for learners; null: none. It stays when the program catches
     * the error.
     */
    get violation() {
      return violation
    },
    /**
     * The program is called: what is asked of WebGPU counts from now on, times of kernels from
     * nothing.
     */
    open: () => {
      state.isOpen = true
      spent.givenMs = 0
      spent.iterations = 0
    },
    close: () => (state.isOpen = false),
    /**
     * Registers the cost of a pipeline that the program is given. While a program runs, no other
     * pipeline that was not made here is dispatched, not even by the lab's functions.
     */
    given: (pipeline: GPUComputePipeline, { workgroups, ms }: GivenPipeline) => {
      const known = costs.get(pipeline)
      const before =
        known?.kind === 'givenMs' ? known : { perWorkgroup: 0, dispatches: new Map<number, number>() }
      before.dispatches.set(workgroups, Math.max(ms, before.dispatches.get(workgroups) ?? 0))
      costs.set(pipeline, {
        kind: 'givenMs',
        perWorkgroup: Math.max(ms / workgroups, before.perWorkgroup),
        dispatches: before.dispatches,
      })
    },
  }
}
