/** What the program is given, a line each: prepare.ts makes it. */
import { MAPPABLE, onDevice, passOf, type Names } from '../../../exercises/names'

export const input = {
  train: {
    has: passOf('one training step'),
    says: 'A training step: forward, backward, update. It writes its loss into `loss`.',
  },
  loss: { says: 'A buffer on the GPU: the loss of the newest step, one float of 4 bytes.' },
  readback: { has: MAPPABLE, says: 'A buffer of 4 bytes that the host can map to read.' },
  hostWork: {
    takes: '()',
    says: 'The host’s own work between two steps: the next batch, the log. It returns when it is done.',
  },
  steps: { says: 'How many steps to train.' },
} as const satisfies Names
export const scope = onDevice(input)
