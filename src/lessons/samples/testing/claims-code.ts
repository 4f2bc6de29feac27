/**
 * Claims of the words beside a lesson’s code, and what must have been measured for each. The first
 * of each pair is quoted from the sample, or from the words beside it: whoever changes it finds
 * this line.
 */
import type { Claims } from './kept'

export const CLAIMS_OF_CODE: Claims = {
  'async-submission/code': [
    ['launches a kernel and returns', (came) => came.returnsBefore('c.addmm_(a, b)')],
    ['blocks this thread until the device is done', (came) => came.waitsForAll('# blocks this thread')],
    [
      'last launch after',
      (came) =>
        came.printed(/=False: last launch after (\S+)/) * 10 < came.printed(/=False.*done after (\S+)/) &&
        came.printed(/=True: last launch after (\S+)/) > came.printed(/=True.*done after (\S+)/) * 0.9,
    ],
  ],
  'collectives/code': [
    [
      'An all-reduce of messages to the next rank',
      ({ kept }) => kept.ranks === 4 && kept.output.split('the ring of messages').length === 4,
    ],
  ],
  'command-queue/code': [
    ['one small kernel, one launch', (came) => came.line('c.addmm_').launches <= came.line('c.addmm_').runs],
    [
      'records the launches of a step, runs nothing',
      (came) => came.line('c.addmm_').runs - came.line('c.addmm_').launches === 64,
    ],
    ['one launch of a graph', (came) => came.printed(/graph: +(\S+)/) < came.printed(/each kernel: (\S+)/)],
  ],
  'kernel-ladder/code': [
    ['from pageable memory', (came) => came.copied(/HtoD \(Pageable/) >= 2 * came.line('a.copy_').runs],
    ['the host goes no further until every byte is here', (came) => came.waitsForAll('c.cpu()')],
    ['cuBLAS picks a kernel, launches it and returns', (came) => came.returnsBefore('torch.mm(')],
    [
      'tensor cores, inputs rounded to TF32',
      (came) => came.printed(/ {3}high, moves False: (\S+)/) < came.printed(/highest, moves False: (\S+)/),
    ],
  ],
  'overlapped-uploads/code': [
    ['from pinned memory', (came) => came.copied(/HtoD/) === came.copied(/HtoD \(Pinned/)],
    [
      'host fills it, while the device works on earlier steps',
      (came) => came.printed(/ring of 2: (\S+)/) < 0.9 * came.printed(/serial: (\S+)/),
    ],
    ['serial', (came) => came.waitsForAll('# serial')],
  ],
  'ranks/code': [
    ['called by all, in the same order', (came) => came.onAllRanks('right')],
    [
      'Agree first, then branch alike.',
      (came) =>
        came.printed(/rank 0: sum of the losses (\d+)/) === came.printed(/rank 1: sum of the losses (\d+)/),
    ],
  ],
  'pipeline-bubble/code': [
    [
      'the only rank that is given the batch',
      ({ kept }) => kept.ranks === 4 && kept.output.split(' micro-batches: ').length === 1 + 2 * 4,
    ],
  ],
  'starved-by-the-loader/code': [
    [
      'waits until this batch has been made',
      (came) => came.printed(/1 workers: (\S+)/) > 1.25 * came.printed(/computing on a batch (\S+)/),
    ],
    [
      'else so many processes do',
      (came) => came.printed(/1 workers: (\S+)/) > 1.25 * came.printed(/4 workers: (\S+)/),
    ],
    ['two steps are queued at most', (came) => came.line('# two steps').waits > 0],
    ['from pinned memory', (came) => came.copied(/HtoD/) === came.copied(/HtoD \(Pinned/)],
    [
      'twice as long to make',
      (came) => came.printed(/making it (\S+)/) > 1.5 * came.printed(/computing on a batch (\S+)/),
    ],
  ],
  'staging-buffers/code': [
    [
      'new memory is pinned for each batch',
      (came) => came.line('cudaHostRegister').pins === came.line('cudaHostRegister').runs,
    ],
    [
      'PyTorch keeps pinned memory: after the warm-up this is a copy',
      (came) =>
        came.line('batch.pin_memory()').pins <= 4 &&
        came.printed(/kept: +(\S+)/) < came.printed(/anew: +(\S+)/),
    ],
    [
      'Pinned once, filled again and again',
      (came) =>
        came.line('ring = [').pins <= 3 &&
        came.printed(/ring of two: +(\S+)/) < came.printed(/pageable: +(\S+)/),
    ],
    ['every second piece is freed', (came) => came.printed(/in holes: +(\d+)/) === 4 * 64],
  ],
  'stay-on-device/code': [
    ['4 bytes; the host waits for them', (came) => came.waitsForAll('x.mean().item()')],
    ['the host waits for every byte', (came) => came.waitsForAll('16 MiB up')],
    ['launches a kernel and returns', (came) => came.returnsBefore('# launches a kernel and returns')],
    [
      'results stay as large as their input',
      (came) =>
        came.printed(/resident: (\S+)/) < came.printed(/scalar_back: (\S+)/) &&
        came.printed(/scalar_back: (\S+)/) < came.printed(/round_trips: (\S+)/),
    ],
  ],
  'streams-and-events/code': [
    ['returns before it has run', (came) => came.returnsBefore('# returns before it has run')],
    [
      'the copy behind the first product; the others go on',
      (came) => came.goesOnBefore('# the copy behind the first product'),
    ],
    [
      'but a copy that is asked for now is queued behind all products',
      (came) => came.waitsForAll('# but a copy'),
    ],
    ['other waits for it, the host does not', (came) => came.neverWaits('# an event behind x')],
    [
      'Two streams race where nothing orders them.',
      (came) => came.printed(/forgotten: (\d+)/) > 0 && came.printed(/ordered: (\d+)/) === 0,
    ],
    [
      'the others go on',
      (came) =>
        came.printed(/wait-one: the first after +(\S+)/) * 2 <
          came.printed(/wait-all: the first after +(\S+)/) &&
        came.printed(/item\(\): the first after +(\S+)/) > came.printed(/item\(\):.*all after +(\S+)/) * 0.9,
    ],
  ],
  'sync-stalls/code': [
    ['launches a kernel and returns', (came) => came.returnsBefore('c.addmm_')],
    [
      'the host goes no further until the number is here',
      (came) =>
        came.waitsForAll('log.append(') && came.printed(/every 0: (\S+)/) < came.printed(/every 1: (\S+)/),
    ],
  ],
  'tensor-residence/code': [
    [
      'made on the CPU, then 16 MB go to the GPU',
      (came) => came.printed(/upload: (\S+)/) > 10 * came.printed(/on_device: (\S+)/),
    ],
    ['launches a kernel and returns', (came) => came.returnsBefore('# launches a kernel and returns')],
    ['waits for the kernel', (came) => came.waitsForAll('x[0].item()')],
    ['the host knows it', (came) => came.neverWaits('str(x.shape)')],
  ],
  'transfer-cost/code': [
    ['the host waits for the end', (came) => came.waitsForAll('# the host waits for the end')],
    [
      'The same bytes at once, in 64 pieces, and in 64 awaited pieces.',
      (came) =>
        came.printed(/whole: (\S+)/) < came.printed(/pieces: (\S+)/) &&
        came.printed(/pieces: (\S+)/) < came.printed(/awaited: (\S+)/),
    ],
  ],
  'worth-it/code': [
    ['waits for it, then the way back', (came) => came.waitsForAll('return c.cpu()')],
    ['now it is there', (came) => came.waitsForAll('# now it is there')],
    ['launches a kernel and returns', (came) => came.line('c = a @ b  # launches').waits === 0],
  ],
}
