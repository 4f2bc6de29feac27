/** What the program is given, a line each: prepare.ts makes it. */
import { onRanks, type Names } from '../../../exercises/names'

export const input = {
  rounds: { says: 'How often the ranks exchange their blocks.' },
  block: { says: 'This rank’s own numbers, a Float32Array.' },
} as const satisfies Names
export const scope = onRanks(input)
