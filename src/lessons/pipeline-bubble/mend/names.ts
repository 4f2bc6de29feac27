/** What the program is given, a line each: prepare.ts makes it. */
import { onRanks, type Names } from '../../../exercises/names'

export const input = {
  count: { says: 'Into how many micro-batches the batch is cut.' },
  words: { says: 'How many numbers a micro-batch has wherever it crosses from one rank to the next.' },
  batch: { says: 'The micro-batches, a Float32Array each: what rank 0 begins with. Other ranks have none.' },
  forward: {
    takes: '(index, x)',
    says: 'This rank’s stage on a micro-batch. It gives y, and keeps the activations until backward() of the same index.',
  },
  backward: {
    takes: '(index, dy)',
    says: 'The way back: adds to the gradients, releases the activations, and gives dx. The last rank has the loss, and needs no dy.',
  },
} as const satisfies Names
export const scope = onRanks(input)
