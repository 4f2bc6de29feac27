/** It asks about tensors of 8 MiB, beside a kernel that makes them on the device. */
import { again, bytesOf, carries, computesFor, ms, rateOf, sizeOf } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'The host makes each tensor and sends it. Which of the two takes longer?',
  handles: {
    mib: sizeOf('A tensor', 0.25, 4, 1),
    make: rateOf('The host makes numbers at', 1, 16, 2),
    link: rateOf('They move at', 1, 16, 4),
  },
  windowNs: 6e6,
  program: 'tensor-residence/upload',
  profile: ({ link }) => ({ process: carries(link) }),
  input: ({ mib }, { kernel, buffer, numbers }) => ({
    tensor: buffer(bytesOf(mib), 'device'),
    uses: again(kernel(0.05e6)),
    seeds: again(0),
    host: numbers(bytesOf(mib)),
    ready: null,
  }),
  computeNs: ({ mib, make }) => bytesOf(mib) / make,
  says: ({ mib }, seen) =>
    `A tensor of ${String(mib)}\u202fMiB takes ${ms(seen.stepNs)}. ${computesFor(seen)}`,
})
