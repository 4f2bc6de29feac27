/**
 * Packs the data with which a page tries changes on a device's profile (trial.ts) into a message.
 */
import type { Trace } from '../../trace/schema'
import type { DeviceReplay } from './device-replay'
import { packProgram, unpackProgram, type PackedProgram } from './packed-program'
import { Replay } from './predict'
import { Trial } from './trial'

export interface PackedTrial {
  readonly program: PackedProgram
  readonly recordedEndsNs: readonly number[]
  readonly unprofiledNs: number | null
  readonly device: string
  readonly isOneRank: boolean
}

export function packTrial({ read, replay, isOneRank }: DeviceReplay): {
  readonly packed: PackedTrial
  readonly transfer: readonly ArrayBuffer[]
} {
  const { packed, transfer } = packProgram(read.program)
  const { recordedEndsNs } = read
  const { unprofiledNs, device } = replay
  return { packed: { program: packed, recordedEndsNs, unprofiledNs, device, isOneRank }, transfer }
}

/** @param kind of the trace's spans */
export function unpackTrial(
  { program, recordedEndsNs, unprofiledNs, device, isOneRank }: PackedTrial,
  kind: Trace['spans']['kind'],
): Trial {
  const recorded = { program: unpackProgram(program), recordedEndsNs }
  return new Trial(new Replay(recorded, unprofiledNs, device), kind, isOneRank)
}
