/**
 * It asks how much faster a step becomes with the fastest kernel: how long those take, and the
 * bytes, is the machine's.
 */
import {
  FILL_RATE,
  POLLS_OFTEN,
  MOST_STEPS,
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
  asks: 'How much of a step can a faster kernel shorten?',
  handles: {
    kernelMs: kernelOf('The kernel', 0.1, 3, 1.5),
    mib: sizeOf('A matrix', 0.5, 4, 1),
    link: rateOf('Bytes move at', 4, 16, 8),
  },
  windowNs: 8e6,
  program: 'kernel-ladder/moving',
  profile: ({ link }) => ({ host: { fillRate: FILL_RATE }, process: { ...POLLS_OFTEN, ...carries(link) } }),
  input: ({ kernelMs, mib }, { kernel, buffer, numbers }) => ({
    matmul: kernel(kernelMs * 1e6),
    steps: MOST_STEPS,
    matrices: { of: () => numbers(bytesOf(mib)) },
    a: buffer(bytesOf(mib), 'device'),
    b: buffer(bytesOf(mib), 'device'),
    c: buffer(bytesOf(mib), 'device'),
    staging: [buffer(bytesOf(mib), 'staging'), buffer(bytesOf(mib), 'staging')],
    readback: buffer(bytesOf(mib), 'readback'),
    bytes: bytesOf(mib),
    checked: [],
  }),
  says: (_, seen) => `A step takes ${ms(seen.stepNs)}. ${computesFor(seen)}`,
})
