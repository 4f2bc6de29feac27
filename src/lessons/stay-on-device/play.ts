/** It asks for eight layers with round trips beside eight without. */
import {
  POLLS_OFTEN,
  again,
  bytesOf,
  carries,
  computesFor,
  kernelOf,
  ms,
  rateOf,
  sizeOf,
} from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'What is a layer’s time made of when its result goes to the host and back?',
  handles: {
    kernelMs: kernelOf('Kernel of a layer', 0.1, 2, 0.4),
    mib: sizeOf('Its result', 1, 8, 4),
    link: rateOf('Bytes move at', 4, 32, 8),
  },
  windowNs: 8e6,
  program: 'stay-on-device/round-trips',
  profile: ({ link }) => ({ process: { ...POLLS_OFTEN, ...carries(link) } }),
  input: ({ kernelMs, mib }, { kernel, buffer, numbers }) => ({
    layers: again({
      ...kernel(kernelMs * 1e6),
      x: buffer(bytesOf(mib), 'device'),
      y: buffer(bytesOf(mib), 'device'),
    }),
    readback: buffer(bytesOf(mib), 'readback'),
    bytes: bytesOf(mib),
    host: numbers(bytesOf(mib)),
  }),
  says: (_, seen) => `A layer takes ${ms(seen.stepNs)}. ${computesFor(seen)}`,
})
