/** What the program is given, a line each: prepare.ts makes it. */
import { onRanks, type Names } from '../../../exercises/names'

export const input = {
  data: { says: 'This rank’s own numbers, a Float32Array: as many blocks as there are ranks.' },
} as const satisfies Names
export const scope = onRanks(input)
