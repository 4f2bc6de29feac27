/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, type Names } from '../../../exercises/names'

export const input = {
  part: { takes: '(step)', says: 'The numbers of a part, as the host has them.' },
  parts: { says: 'How many parts there are.' },
  target: { says: 'A buffer on the GPU, with room for all parts.' },
  bytes: { says: 'The size of a part.' },
} as const satisfies Names
export const scope = onDevice(input)
