/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, PIPELINE, type Names } from '../../../exercises/names'

export const input = {
  pipeline: { has: PIPELINE, says: 'The kernel, compiled.' },
  bindGroups: { says: 'The numbers of each kernel, to be taken in turn.' },
  workgroups: { says: 'How many workgroups each kernel has: x, y and z.' },
  kernels: { says: 'How many kernels to run.' },
} as const satisfies Names
export const scope = onDevice(input)
