/** What the program is given, a line each: prepare.ts makes it. */
import { MAPPABLE, onDevice, passesOf, passOf, type Names } from '../../../exercises/names'

export const input = {
  layers: {
    says: 'The layers of the network, in order.',
    has: {
      y: { says: 'A buffer on the GPU: the result of this layer. The layer after the next writes over it.' },
      mean: {
        says: 'The mean of this layer’s result, made on the GPU.',
        has: {
          ...passOf('the mean'),
          value: { says: 'A buffer on the GPU: the mean, one float of 4 bytes.' },
        },
      },
      ...passesOf('the layer'),
    },
  },
  logged: { says: 'The layer whose mean is wanted.' },
  readback: {
    has: MAPPABLE,
    says: 'A buffer that the host can map to read, with room for a result and 4 bytes.',
  },
  bytes: { says: 'The size of a result.' },
} as const satisfies Names
export const scope = onDevice(input)
