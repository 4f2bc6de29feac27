/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, passOf, type Names } from '../../../exercises/names'

export const input = {
  batch: { takes: '(step)', says: 'The numbers of a batch, as the host has them.' },
  bytes: { says: 'The size of a batch.' },
  target: { says: 'A buffer on the GPU, into which each batch is copied.' },
  uses: { has: passOf('a kernel that reads the batch'), says: 'One for each batch: a kernel that reads it.' },
} as const satisfies Names
export const scope = onDevice(input)
