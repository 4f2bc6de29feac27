/**
 * Claims of the words beside a question’s lines and a mend, and what must have been measured for
 * each. The first of each pair is quoted from the sample, or from the words beside it: whoever
 * changes it finds this line.
 */
import type { Came, Claims } from './kept'

const taken = ({ kept }: Came) =>
  (kept.onDevice?.copyBesideKernelMs ?? NaN) < 0.02 * (kept.onDevice?.copyMs ?? NaN)

export const CLAIMS_OF_WORDS: Claims = {
  'async-submission/ask': [
    ['# the time of what?', (came) => came.returnsBefore('c = a @ b')],
    ['# one number, 3 s', (came) => came.waitsForAll('c[0, 0].cpu()')],
  ],
  'async-submission/mend': [
    ['the clock stops when the launch returns', (came) => came.returnsBefore('c = a @ b')],
    [
      'queue many, wait once, divide',
      (came) =>
        came.returnsBefore('torch.mm(') && came.printed(/product (\d+)/) > 4 * came.printed(/launch (\d+)/),
    ],
  ],
  'collectives/ask': [['the mean over all ranks', (came) => came.onAllRanks('alike')]],
  'collectives/mend': [
    [
      'with it: an all-reduce',
      ({ kept }) => {
        const ranks = kept.ranks ?? NaN
        const factor = (ranks * (ranks + 1)) / 2
        const expected = (rank: number) =>
          `rank ${String(rank)}: its block begins with ${String((64 / ranks) * rank * factor)}, the last sum is ${String(63 * factor)}`
        return Array.from({ length: ranks }, (_, rank) => expected(rank)).every((each) =>
          kept.output.includes(each),
        )
      },
    ],
  ],
  'command-queue/ask': [
    ['# one kernel, one launch', (came) => came.line('p.mul_').launches === came.line('p.mul_').runs],
    [
      '# and one more',
      (came) => came.line('p.add_').launches === came.line('p.add_').runs && came.fact('right') === true,
    ],
  ],
  'command-queue/mend': [
    [
      'records the launches, runs nothing',
      (came) => came.line('torch.add(').runs === 2048 && came.line('torch.add(').launches === 1024,
    ],
    ['one call launches all of them', (came) => came.line('graph.replay()').launches === 1024],
    ['the same result', ({ kept }) => kept.output === 'the same result: True\n'],
  ],
  'kernel-ladder/ask': [
    ['c_host = c.cpu()', (came) => came.fact('right') === true && came.waitsForAll('c.cpu()')],
  ],
  'kernel-ladder/mend': [
    [
      'multiplies two tiles',
      (came) => Number(came.fact('relativeError')) < 1e-5 && /tensor\(/.test(came.kept.output),
    ],
    ['the compiler puts them into shared memory', (came) => came.printed(/(\d+) bytes of shared memory/) > 0],
  ],
  'overlapped-uploads/ask': [
    ['a copy on one stream still takes its turn', taken],
    ['pin_memory=True', (came) => came.copied(/HtoD \(Pinned/) === came.line('x = batch.to').runs],
    ['x = batch.to("cuda", non_blocking=True)', (came) => came.returnsBefore('x = batch.to')],
  ],
  'overlapped-uploads/mend': [
    ['the copy and the matmuls take turns', taken],
    ['returns at once', (came) => came.returnsBefore('# returns at once')],
    [
      'the host writes, and the GPU computes on the batch before',
      (came) => {
        const { busyMs, ms } = came.line('# the host writes')
        const device = (came.kept.onDevice?.kernelMs ?? NaN) + (came.kept.onDevice?.copyMs ?? NaN)
        return busyMs > Math.min(ms, device) / 4
      },
    ],
    ['largest difference', (came) => Number(came.fact('relativeError')) < 1e-5],
  ],
  'pipeline-bubble/ask': [
    [
      '# the last one has the loss',
      (came) => /^(\[\],)+\[(32,){7,}32\]$/.test(JSON.stringify(came.fact('losses')).slice(1, -1)),
    ],
  ],
  'pipeline-bubble/mend': [
    [
      'The gradients agree.',
      ({ kept }) =>
        kept.ranks === 4 &&
        [0, 1, 2, 3].every((rank) => {
          const [gpipe, other, ...more] = kept.output
            .split('\n')
            .flatMap((line) =>
              line.startsWith(`rank ${String(rank)}: `) ? Number(line.split(' ').at(-1)) : [],
            )
          return more.length === 0 && gpipe !== undefined && gpipe > 0 && gpipe === other
        }),
    ],
  ],
  'ranks/ask': [['the sum over both ranks', (came) => came.onAllRanks('right')]],
  // Four rounds of block = 2 block + theirs, from 0 and 64 on.
  'ranks/mend': [
    [
      'Take turns, or post both operations at once.',
      ({ kept }) => kept.output === 'rank 0: 2560\nrank 1: 2624\n',
    ],
  ],
  'read-a-profile/ask': [['sums the gradients of all ranks', (came) => came.onAllRanks('alike')]],
  'staging-buffers/ask': [
    [
      'the call waits for the copy and everything queued before it',
      (came) => came.waitsForAll('x = batch.to') && came.copied(/HtoD \(Pageable/) === 0,
    ],
  ],
  'starved-by-the-loader/ask': [
    [
      '# most of the time is here',
      (came) => came.line('for batch in loader').ms > came.line('train_step').ms,
    ],
  ],
  'starved-by-the-loader/mend': [
    [
      'Two workers, each one batch ahead.',
      (came) => came.printed(/2 workers: (\S+)/) < came.printed(/0 workers: (\S+)/),
    ],
  ],
  'staging-buffers/mend': [
    [
      'Pin once, and refill a buffer',
      (came) =>
        came.fact('lastArrived') === true &&
        came.line('ring = [').pins <= 2 &&
        came.line('ring[slot].copy_').pins === 0,
    ],
    [
      'at first it returns at once',
      (came) => came.line('free[slot].synchronize()').waits <= came.line('free[slot].synchronize()').runs,
    ],
  ],
  'stay-on-device/ask': [['x = layer(x.to("cuda")).cpu()', (came) => came.waitsForAll('x = layer')]],
  'stay-on-device/mend': [
    ['a tensor on the GPU; the host has not waited', (came) => came.neverWaits('mean = x.mean()')],
    ['waits for all layers', (came) => came.waitsForAll('x.cpu()')],
    ['has no work left to wait for', (came) => came.line('print(').busyMs * 10 < came.line('x.cpu()').busyMs],
  ],
  'streams-and-events/ask': [
    ['`torch.cuda.synchronize()` for all streams.', (came) => came.waitsForAll('torch.cuda.synchronize()')],
  ],
  'streams-and-events/mend': [
    [
      'into pinned memory, before the next product',
      (came) => came.fact('pinned') === true && came.copied(/DtoH \(Device -> Pinned/) === 8,
    ],
    [
      'this result; later products run on',
      (came) => came.line('event.synchronize()').doneAfter <= 1 && came.fact('right') === true,
    ],
  ],
  'sync-stalls/ask': [
    [
      '# one number a step',
      (came) =>
        came.line('log.append').doneAfter >= came.line('log.append').runs - 1 && came.fact('losses') === 32,
    ],
  ],
  'sync-stalls/mend': [
    ['Return every loss', (came) => came.fact('losses') === 64],
    ['are copied four at a time, and are read four steps late', (came) => came.fact('same') === true],
    ['at most 8 more steps run', (came) => Number(came.fact('stepsAfterNan')) <= 8],
    [
      'returns at once',
      (came) => came.neverWaits('# returns at once') && came.returnsBefore('# returns at once'),
    ],
    [
      'Meanwhile the GPU computes',
      (came) => came.line('copied.synchronize()').busyMs > 0.95 * came.line('copied.synchronize()').ms,
    ],
  ],
  'tensor-residence/ask': [
    [
      'noise = torch.randn(n).to("cuda")',
      (came) => came.waitsForAll('noise =') && came.copied(/HtoD \(Pageable/) === 10,
    ],
  ],
  'tensor-residence/mend': [
    [
      'the one wait',
      (came) =>
        came.waitsForAll('total.item()') &&
        came.neverWaits('total += x.sum()') &&
        came.neverWaits('x = torch.randint'),
    ],
    [
      'on the host; the launch carries it',
      (came) => came.line('manual_seed').launches === 0 && came.copied(/HtoD/) === 0,
    ],
    ['with a generator on the GPU', (came) => came.fact('again') === true],
  ],
  'transfer-cost/ask': [['x = sample.to("cuda")', (came) => came.waitsForAll('x = sample')]],
  'transfer-cost/mend': [
    [
      'Send them all from pinned memory and wait once',
      (came) =>
        came.copied(/HtoD/) === 65 &&
        came.copied(/HtoD \(Pinned/) === 65 &&
        came.neverWaits('there[k].copy_'),
    ],
    ['0 + 1 + … + 63 = 2016', ({ kept }) => kept.output === '2016.0\n'],
  ],
  'worth-it/ask': [['or a @ b, on the CPU?', (came) => came.fact('right') === true]],
  'worth-it/mend': [
    ['.cpu() waits', (came) => came.waitsForAll('# .cpu() waits')],
    [
      'Time both, each with its copies',
      ({ kept }) => /^\[\(64, '[cg]pu'\), \(256, '[cg]pu'\), \(1024, '[cg]pu'\)\]\n$/.test(kept.output),
    ],
  ],
}
