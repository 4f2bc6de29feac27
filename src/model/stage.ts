/**
 * A modelled machine for a worker that lives for one mend: no device is opened, and the thread's
 * globals are the model's from then on.
 */
import type { MachineProfile } from './machine-profile'
import { Machine, MEND_MULTIPLY_ADDS } from './machine'
import { processorOf } from './processor'
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
