/** What the program is given, a line each: prepare.ts makes it. */
import { MAPPABLE, onDevice, passesOf, type Names } from '../../../exercises/names'

export const input = {
  matmuls: {
    says: 'The products, in order.',
    has: { c: { says: 'A buffer on the GPU, to which the product is added.' }, ...passesOf('the product') },
  },
  times: { says: 'How often each product is computed.' },
  offsets: { says: 'Where in `c` the part that is wanted begins, in bytes.' },
  readbacks: { has: MAPPABLE, says: 'A buffer for each result that the host can map to read.' },
  bytes: { says: 'The size of a result.' },
  handOver: { takes: '(step, numbers)', says: 'Hands a result, a Float32Array, to whoever waits for it.' },
} as const satisfies Names
export const scope = onDevice(input)
