/** Where the model is off by more than it may be, and what it leaves out there. The first that fits a row is its cause. */
import type { ModelRow } from './model-rows'

interface Cause {
  /** File, variant and metric. */
  readonly fits: RegExp
  readonly is: string
}

export const CAUSES: readonly Cause[] = [
  {
    fits: /^ranks\/one-reads (none|one)-reads/,
    is: 'a step’s product is sized by the machine’s own times: it is added five times in place of four',
  },
  {
    fits: /^collectives\/gpu gpu-4x\d{1,3} /,
    is: 'short work of four devices was noticed 2 ms later, each way: why is not known',
  },
  {
    fits: /^collectives\/gpu gpu-/,
    is: 'four devices copy megabytes at once: why they take that long is not known',
  },
  {
    fits: /^collectives\S* tree-|^collectives\/operation naive-4x1 |^collectives ring-4x64 /,
    is: 'one α, whether the rank that waits spins or sleeps: what wakes it is not modelled',
  },
  {
    fits: /^collectives\/ranks naive-8x/,
    is: 'each message of a rank takes its turn: several at once took less',
  },
  {
    fits: /^collectives\/ranks (pair-2x1024|ring-8x65536) |^collectives\/gpu (pair-2x256|ring-4x16384) /,
    is: 'one rate, whatever the caches hold and others move',
  },
  {
    fits: /^pipeline-bubble\/alpha/,
    is: 'of short passes one in twelve took a third of a ms longer: why is not known',
  },
  {
    fits: /^overlapped-uploads\/loader (serial|inline) |^pipeline-bubble(\/two|\/uneven)? /,
    is: 'the host’s threads ran at two speeds in this recording',
  },
  { fits: /loader\S* (worker-|workers-[1-9]|ahead-)/, is: 'workers are not modelled' },
  { fits: /^tensor-residence\S* upload |^starved\S* workers-0 /, is: 'what the host computes costs nothing' },
  { fits: /^starved\S*\/longer at-hand /, is: 'the device is idle between steps: why is not known' },
  {
    fits: /small\S* \w+\+transfers|round-trip-(32|64) |^transfer-cost\S* (down-(256k|1m)|up-4m) /,
    is: 'the work ends within some 20 µs of the look that follows its message: of one variant’s waits some end there, 0.3 ms, and some at the next look, 2.6; the model has one of the two',
  },
  {
    fits: /^sync-stalls|^stay-on-device\/once/,
    is: 'ends of several submissions, or late ones, are noticed a look later: why is not known',
  },
  {
    fits: /^(transfer-cost|staging-buffers|stay-on-device)|transfers-only/,
    is: 'one rate for each way of bytes, whatever their number and what the caches hold',
  },
  { fits: /^worth-it\S* cpu-/, is: 'the recordings differ among themselves by a third' },
  {
    fits: /resident-\d|^kernel-ladder\/(small|resident)/,
    is: 'a kernel’s time is a line over k: tiles of small matrices and falling clocks are not in it',
  },
  {
    fits: /^command-queue\/independent|^tensor-residence\/ask/,
    is: 'as the same program in another recording, which is met',
  },
]

export const causeOf = ({ file, variant, metric }: ModelRow): Cause | undefined =>
  CAUSES.find(({ fits }) => fits.test(`${file.replace('.hdl.gz', '')} ${variant} ${metric}`))
