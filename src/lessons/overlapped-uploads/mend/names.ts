/** What the program is given, a line each: prepare.ts makes it. */
import { MAPPABLE, onDevice, passesOf, passOf, type Names } from '../../../exercises/names'

export const input = {
  staging: {
    has: MAPPABLE,
    says: 'Three buffers that the host can map to write. To begin with, each is mapped.',
  },
  batch: { takes: '(step)', says: 'The numbers of a batch, as the host has them.' },
  onDevice: { says: 'Two buffers on the GPU. Batch `step` goes into the one at step % 2.' },
  bytes: { says: 'The size of a batch.' },
  arrived: {
    has: passOf('the look at what has arrived'),
    says: 'One for each batch, for the check alone: it keeps words of what has arrived.',
  },
  matmuls: { has: passesOf('the product'), says: 'Products with the batch in `onDevice` at the same place.' },
  times: { says: 'How often each product is computed.' },
  steps: { says: 'How many batches there are.' },
} as const satisfies Names
export const scope = onDevice(input)
