/**
 * A modelled machine for a worker that lives for one mend: no device is opened, and the thread's
 * globals are the model's from then on.
 */
import type { Processor } from '../gpu/kernels/cpu/processor'
import type { MachineProfile } from './machine-profile'
import { Machine, MEND_MULTIPLY_ADDS } from './machine'
import { processorOf } from './processor'
import { realmOf } from './realm'

export interface MendStage {
  readonly run: (body: () => Promise<void>) => Promise<void>
  readonly begins: () => void
  /** 'kernels' of the program's own, or the 'results' of more products than are worked out. */
  readonly unknown: () => 'kernels' | 'results' | null
  readonly processor: Processor
  /** ms: this thread works, or another beside it. */
  readonly host: {
    readonly busy: (ms: number) => void
    readonly beside: (ms: number) => Promise<void>
  }
}

/** @param install false: the globals are put back when the run has ended */
export function stageOf(profile: MachineProfile, install = true): MendStage {
  const machine = new Machine(profile, MEND_MULTIPLY_ADDS)
  const realm = realmOf(machine)
  return {
    run: async (body) => {
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
    unknown: () => (machine.hasUnknown ? 'kernels' : machine.effort.leftOut > 0 ? 'results' : null),
    processor: processorOf(machine),
    host: {
      busy: (ms) => {
        machine.clock.spend(ms * 1e6)
      },
      beside: (ms) =>
        new Promise((resolve) => {
          machine.clock.task(machine.clock.now + ms * 1e6, resolve)
        }),
    },
  }
}
