/** What one rank's file can say of its collectives, in a sentence for each device that has any. */
import type { DeviceSummary } from './devices'
import { durationText } from '../base/figures'

/** Of one rank's file; of joined ranks the waiting is known (ranks/). */
export const collectiveNotes = (devices: readonly DeviceSummary[]): readonly string[] =>
  devices
    .filter(({ collectiveUs }) => collectiveUs > 0)
    .map(
      ({ id, collectiveUs }) =>
        `${durationText(collectiveUs * 1e3)} of the busy time of ${id} is inside collectives: one rank’s file cannot tell waiting for another rank from transferring. Open the files of all ranks together.`,
    )
