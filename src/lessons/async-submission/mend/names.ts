/** What the program is given, a line each: prepare.ts makes it. */
import { onDevice, passesOf, type Names } from '../../../exercises/names'

export const input = {
  shapes: {
    says: 'The products to time, one of each shape. All are new in every run.',
    has: {
      name: { says: 'What the shape is called.' },
      flops: { says: 'Floating-point operations of one product.' },
      ...passesOf('the product'),
    },
  },
} as const satisfies Names
export const scope = onDevice(input)
