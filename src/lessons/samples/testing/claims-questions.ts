/**
 * Claims of a question's words on its fix, and what must have been measured for each. The first of
 * each pair is quoted from the question: whoever changes it finds this line.
 */
import type { Came, Claims } from './kept'

const isRight = (came: Came) => came.fact('right') === true

export const CLAIMS_OF_QUESTIONS: Claims = {
  'questions/all-reduce-no-overlap': [],
  'questions/cpu-takes-seconds': [
    ['A line that launches a kernel only queues it', (came) => came.returnsBefore('out = model(x)')],
  ],
  'questions/cuda-malloc-every-step': [],
  'questions/cuda-stream-synchronize': [
    ['Keep values on the GPU', (came) => came.neverWaits('total += loss.detach()')],
  ],
  'questions/first-batch': [],
  'questions/how-many-workers': [],
  'questions/item-is-slow': [
    ['Copy right away, read later', (came) => came.neverWaits('host.copy_(') && isRight(came)],
  ],
  'questions/launch-takes-my-time': [],
  'questions/masks-synchronise': [
    [
      'Keep the shape, and nothing waits',
      (came) =>
        came.neverWaits('kept = torch.where(') && came.neverWaits('mean = kept.sum()') && isRight(came),
    ],
  ],
  'questions/pinned-no-faster': [
    ['A DataLoader pins in its own thread only with workers', (came) => came.fact('pins') === true],
  ],
  'questions/profilers-last-synchronize': [],
  'questions/streams-serial': [
    [
      'Copies are what a second stream overlaps well',
      (came) => came.neverWaits('following = batch.to(') && isRight(came),
    ],
  ],
  'questions/synchronize-slower': [
    [
      'Events time the GPU without a wait in between',
      (came) => came.neverWaits('out = model(x)') && came.printed(/^(\S+) ms/) > 0,
    ],
  ],
  'questions/to-blocks': [
    ['You need both', (came) => came.neverWaits('batch = batch.to(') && came.fact('onDevice') === true],
  ],
  'questions/transfer-rate': [
    ['send a few large copies', (came) => came.copied(/HtoD/) === 1 && isRight(came)],
  ],
  'questions/which-rank-hangs': [],
  'questions/wrong-norm': [
    ['After an event, none', (came) => came.neverWaits('host.copy_(norm') && isRight(came)],
  ],
}
