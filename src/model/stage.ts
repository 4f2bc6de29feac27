/**
 * A modelled machine for a worker that lives for one mend: no device is opened, and the thread's
 * globals are the model's from then on.
 */
import type { Processor } from '../gpu/kernels/cpu/processor'
import { rangeOf, wordsOf } from './host-memory'
import type { MachineProfile } from './machine-profile'
import { factorsOf, productSource } from './product'
import { Machine, MEND_MULTIPLY_ADDS } from './machine'
import { realmOf } from './realm'

/** @param install false: the globals are put back when the run has ended */
export function stageOf(profile: MachineProfile, install = true) {
  const machine = new Machine(profile, MEND_MULTIPLY_ADDS)
  const realm = realmOf(machine)
  return {
    run: async (body: () => Promise<void>) => {
      if (!install) {
        await realm.run(body)
        return
      }
      realm.install()
      await machine.clock.run(body)
    },
    begins: () => {
      machine.hasProgram = true
    },
    /** 'kernels' of the program's own, or the 'results' of more products than are worked out. */
    unknown: () =>
      machine.hasUnknown ? ('kernels' as const) : machine.effort.leftOut > 0 ? ('results' as const) : null,
    processor: processorOf(machine),
    /** ms: this thread works, or another beside it. */
    host: {
      busy: (ms: number) => {
        machine.clock.spend(ms * 1e6)
      },
      beside: (ms: number) =>
        new Promise<void>((resolve) => {
          machine.clock.task(machine.clock.now + ms * 1e6, resolve)
        }),
    },
  }
}

/**
 * The CPU's own matmul: a library of several threads in WebAssembly, which copies what it is given
 * into its memory, and the result out. @internal
 */
export function processorOf({ profile, clock, effort }: Machine): Processor {
  const { library, threads, callNs, copyRate, gflops } = profile.processor
  return {
    library,
    threads,
    note: '',
    multiply: (a, b, n) => {
      clock.spend(callNs + (12 * n * n) / copyRate + (2 * n ** 3) / gflops)
      const factors = factorsOf(wordsOf(a), wordsOf(b), [n, n, n], effort)
      const product = productSource({ factors, alpha: 1, times: 1, before: null }, [n, n])
      return Promise.resolve(new Float32Array(rangeOf(4 * n * n, product, 0) as ArrayBuffer))
    },
  }
}
