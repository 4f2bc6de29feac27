/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, passOf, type Names } from '../../../exercises/names'

export const input = {
  make: { takes: '(step)', says: 'Makes a batch in this thread, which does nothing else meanwhile.' },
  ask: {
    takes: '(step)',
    says: 'Asks worker step % 2 for a batch. The promise settles with its numbers when they are made.',
  },
  target: { says: 'A buffer on the GPU, for the batch that is computed on.' },
  uses: {
    has: passOf('the look at what has arrived'),
    says: 'One for each batch, for the check alone: it keeps words of what has arrived.',
  },
  matmul: { has: passOf('the product'), says: 'The layers, once for each batch.' },
  steps: { says: 'How many batches there are.' },
} as const satisfies Names
export const scope = onDevice(input)
