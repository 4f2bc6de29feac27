/** It asks how much of the rate of 64 MiB a transfer of 4 KiB reaches. */
import {
  POLLS_OFTEN,
  MOST_STEPS,
  again,
  between,
  bytesOf,
  carries,
  ms,
  rateOf,
  sizeOf,
} from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'When do half as many bytes take half as long?',
  handles: {
    mib: sizeOf('Bytes of a transfer', 0.5, 8, 2),
    eachMs: {
      label: 'Fixed cost of a transfer',
      unit: 'ms',
      ...between(0.05, 1, 0.3),
    },
    link: rateOf('Bytes move at', 2, 16, 4),
  },
  windowNs: 6e6,
  program: 'transfer-cost/up',
  profile: ({ eachMs, link }) => ({ process: { ...POLLS_OFTEN, ...carries(link), writeNs: eachMs * 1e6 } }),
  input: ({ mib }, { buffer, numbers }) => ({
    parts: again(numbers(bytesOf(mib))),
    target: buffer(MOST_STEPS * bytesOf(mib), 'device'),
    bytes: bytesOf(mib),
  }),
  says: ({ mib }, seen) => `A transfer of ${String(mib)}\u202fMiB takes ${ms(seen.stepNs)}.`,
})
