/** It asks how much of the upload two buffers hide: here is one. */
import {
  FILL_RATE,
  POLLS_OFTEN,
  MOST_STEPS,
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
  asks: 'Here host and device take turns. Who idles while the other works?',
  handles: {
    kernelMs: kernelOf('Computing on a batch', 0.2, 2, 0.8),
    mib: sizeOf('A batch', 1, 8, 4),
    link: rateOf('Its bytes move at', 4, 16, 6),
  },
  windowNs: 8e6,
  program: 'overlapped-uploads/serial',
  profile: ({ link }) => ({ host: { fillRate: FILL_RATE }, process: { ...POLLS_OFTEN, ...carries(link) } }),
  input: ({ kernelMs, mib }, { kernel, buffer, numbers }) => {
    const matmul = kernel(kernelMs * 1e6)
    const onDevice = buffer(bytesOf(mib), 'device')
    return {
      staging: [buffer(bytesOf(mib), 'staging')],
      batch: () => numbers(bytesOf(mib)),
      onDevice: [onDevice, onDevice],
      bytes: bytesOf(mib),
      arrived: again({ encode: () => undefined }),
      matmuls: [matmul, matmul],
      times: 1,
      steps: MOST_STEPS,
    }
  },
  says: (_, seen) => `A batch takes ${ms(seen.stepNs)}. ${computesFor(seen)}`,
})
