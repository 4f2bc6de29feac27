/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, passOf, type Names } from '../../../exercises/names'

export const input = {
  tensor: { says: 'A buffer on the GPU, of 4 · words bytes.' },
  words: { says: 'How many 32-bit integers a tensor has.' },
  seeds: { says: 'A seed for each tensor.' },
  uses: {
    has: passOf('a kernel that reads the tensor'),
    says: 'One for each tensor: a kernel that reads it.',
  },
} as const satisfies Names
export const scope = onDevice(input)
