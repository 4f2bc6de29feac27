/** It asks how many times as fast a ring of two is as writeBuffer(). */
import {
  POLLS_OFTEN,
  again,
  bytesOf,
  carries,
  counts,
  ms,
  percent,
  rateOf,
  sum,
} from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'What does another buffer change, and what not?',
  handles: {
    fill: rateOf('The host fills a buffer at', 2, 16, 6),
    carry: rateOf('Its bytes move at', 2, 16, 6),
    depth: {
      label: 'Buffers, filled in turn',
      ...counts([1, 2, 3, 4], 1),
      word: (depth) => String(depth),
    },
  },
  windowNs: 6e6,
  program: 'staging-buffers/ring',
  profile: ({ fill, carry }) => ({
    host: { fillRate: fill },
    process: { ...POLLS_OFTEN, ...carries(carry) },
  }),
  input: ({ depth }, { kernel, buffer, numbers }) => ({
    batch: () => numbers(bytesOf(4)),
    bytes: bytesOf(4),
    staging: Array.from({ length: depth }, () => buffer(bytesOf(4), 'staging')),
    target: buffer(bytesOf(4), 'device'),
    uses: again(kernel(0.05e6)),
  }),
  says: (_, seen) =>
    `One batch of 4\u202fMiB goes up every ${ms(seen.stepNs)}. The host waits ${percent(sum(seen.waits) / seen.windowNs)} of the time.`,
})
