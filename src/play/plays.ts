/** What each lesson has to drag. No handle reaches what its lesson asks to be predicted: a picture of that would be the answer. */
import { playWith, type Handle, type Play, type Seen, type Stretch } from './play'

/** From one value to another in equal ratios, rounded to two figures. */
const between = (from: number, to: number, start: number): Pick<Handle, 'stops' | 'start'> => {
  const COUNT = 60
  const stops = Array.from({ length: COUNT }, (_, index) =>
    Number((from * (to / from) ** (index / (COUNT - 1))).toPrecision(2)),
  )
  return { stops: [...new Set([...stops, start])].toSorted((one, other) => one - other), start }
}
const counts = (stops: readonly number[], start: number): Pick<Handle, 'stops' | 'start' | 'unit'> => ({
  unit: '',
  stops,
  start,
})
const kernelOf = (label: string, from: number, to: number, start: number): Handle => ({
  label,
  unit: 'ms',
  ...between(from, to, start),
})
const rateOf = (label: string, from: number, to: number, start: number): Handle => ({
  label,
  unit: 'GB/s',
  ...between(from, to, start),
})
const sizeOf = (label: string, from: number, to: number, start: number): Handle => ({
  label,
  unit: 'MiB',
  ...between(from, to, start),
})

const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)}\u202f%`
const ms = (ns: number): string => `${Number((ns / 1e6).toPrecision(2)).toString()}\u202fms`
const sum = (stretches: readonly Stretch[]): number =>
  stretches.reduce((all, { startNs, endNs }) => all + endNs - startNs, 0)
const computesFor = ({ computes }: Seen): string =>
  `The device computes for ${percent(computes)} of the time.`

/** In whole words: buffers have whole words. */
const bytesOf = (mib: number): number => 4 * Math.round((mib * 2 ** 20) / 4)
const MOST_STEPS = 100
const again = <T>(each: T): readonly T[] => Array.from({ length: MOST_STEPS }, () => each)
const looksEvery = (ns: number) => ({ firstLookNs: ns, lookNs: ns })
/** So often that nothing waits for them. */
const LOOKS_OFTEN = looksEvery(0.05e6)
const carries = (rate: number) => ({ freshRate: rate, carryRate: rate, readbackRate: rate })
const FILL_RATE = 10

const plays: Readonly<Record<string, Play>> = {
  // The lesson asks about kernels of 0.05 ms.
  'sync-stalls': playWith({
    asks: 'What makes the host wait for longer, and what makes the device idle?',
    handles: {
      kernelMs: kernelOf('Kernel of a step', 0.2, 1.4, 0.4),
      lookMs: { label: 'Finished work is noticed every', unit: 'ms', ...between(0.1, 1.4, 1) },
      every: {
        label: 'The host reads after',
        ...counts([1, 2, 3, 4], 2),
        word: (steps) => ['every step', 'every 2nd step', 'every 3rd step'][steps - 1] ?? 'every 4th step',
      },
    },
    windowNs: 6e6,
    program: 'sync-stalls/read',
    card: ({ lookMs }) => ({ process: looksEvery(lookMs * 1e6) }),
    input: ({ kernelMs, every }, { kernel, buffer }) => ({
      matmul: kernel(kernelMs * 1e6),
      readback: buffer(256, 'readback'),
      bytes: 4,
      times: 1,
      every,
      steps: MOST_STEPS,
    }),
    round: ({ every }) => every,
    says: (_, seen) =>
      `${computesFor(seen)} The host waits for up to ${ms(Math.max(0, ...seen.waits.map(({ startNs, endNs }) => endNs - startNs)))} at a time.`,
  }),
  // It asks about 64 submits of kernels of some microseconds, beside one pass of all.
  'command-queue': playWith({
    asks: 'When does the device wait for the next kernel?',
    handles: {
      kernelUs: { label: 'A kernel', unit: 'µs', ...between(20, 100, 40) },
      submitUs: { label: 'Handing over a submit', unit: 'µs', ...between(20, 200, 120) },
      kernels: {
        label: 'Kernels in a submit',
        ...counts([1, 2, 3, 4, 5, 6], 1),
        word: (kernels) => String(kernels),
      },
    },
    windowNs: 1.2e6,
    program: 'command-queue/one-pass',
    card: ({ submitUs }) => ({ process: { submitNs: submitUs * 1e3 } }),
    input: ({ kernelUs, kernels }, { kernel }) => {
      const { pipeline, bindGroup } = kernel(kernelUs * 1e3)
      return { pipeline, bindGroups: [bindGroup], workgroups: [1, 1], kernels, steps: MOST_STEPS }
    },
    says: ({ kernels }, seen) =>
      `${computesFor(seen)} ${String(kernels * seen.passes.filter(({ endNs }) => endNs < seen.windowNs).length)} kernels end in ${ms(seen.windowNs)}.`,
  }),
  // It asks about tensors of 8 MiB, beside a kernel that makes them on the device.
  'tensor-residence': playWith({
    asks: 'The host makes each tensor and sends it. Which of the two takes longer?',
    handles: {
      mib: sizeOf('A tensor', 0.25, 4, 1),
      make: rateOf('The host makes numbers at', 1, 16, 2),
      link: rateOf('They are carried at', 1, 16, 4),
    },
    windowNs: 6e6,
    program: 'tensor-residence/upload',
    card: ({ link }) => ({ process: carries(link) }),
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
  }),
  // It asks for eight layers with round trips beside eight without.
  'stay-on-device': playWith({
    asks: 'What is a layer’s time made of, when its result goes to the host and back?',
    handles: {
      kernelMs: kernelOf('Kernel of a layer', 0.1, 2, 0.4),
      mib: sizeOf('Its result', 1, 8, 4),
      link: rateOf('Bytes are carried at', 4, 32, 8),
    },
    windowNs: 8e6,
    program: 'stay-on-device/round-trips',
    card: ({ link }) => ({ process: { ...LOOKS_OFTEN, ...carries(link) } }),
    input: ({ kernelMs, mib }, { kernel, buffer, numbers }) => ({
      layers: again({
        ...kernel(kernelMs * 1e6),
        x: buffer(bytesOf(mib), 'device'),
        y: buffer(bytesOf(mib), 'device'),
      }),
      readback: buffer(bytesOf(mib), 'readback'),
      bytes: bytesOf(mib),
      host: numbers(bytesOf(mib)),
    }),
    says: (_, seen) => `A layer takes ${ms(seen.stepNs)}. ${computesFor(seen)}`,
  }),
  // It asks how much of the rate of 64 MiB a transfer of 4 KiB reaches.
  'transfer-cost': playWith({
    asks: 'When do half as many bytes take half as long?',
    handles: {
      mib: sizeOf('Bytes of a transfer', 0.5, 8, 2),
      eachMs: { label: 'A transfer costs, whatever its bytes', unit: 'ms', ...between(0.05, 1, 0.3) },
      link: rateOf('Bytes are carried at', 2, 16, 4),
    },
    windowNs: 6e6,
    program: 'transfer-cost/up',
    card: ({ eachMs, link }) => ({
      process: { ...LOOKS_OFTEN, ...carries(link), writeNs: eachMs * 1e6 },
    }),
    input: ({ mib }, { buffer, numbers }) => ({
      parts: again(numbers(bytesOf(mib))),
      target: buffer(MOST_STEPS * bytesOf(mib), 'device'),
      bytes: bytesOf(mib),
    }),
    says: ({ mib }, seen) => `A transfer of ${String(mib)}\u202fMiB takes ${ms(seen.stepNs)}.`,
  }),
  // It asks how many times as fast a ring of two is as writeBuffer().
  'staging-buffers': playWith({
    asks: 'What does another buffer change, and what does it leave as it was?',
    handles: {
      fill: rateOf('The host fills a buffer at', 2, 16, 6),
      carry: rateOf('It is carried at', 2, 16, 6),
      depth: {
        label: 'Buffers, filled in turn',
        ...counts([1, 2, 3, 4], 1),
        word: (depth) => String(depth),
      },
    },
    windowNs: 6e6,
    program: 'staging-buffers/ring',
    card: ({ fill, carry }) => ({ host: { fillRate: fill }, process: { ...LOOKS_OFTEN, ...carries(carry) } }),
    input: ({ depth }, { kernel, buffer, numbers }) => ({
      batch: () => numbers(bytesOf(4)),
      bytes: bytesOf(4),
      staging: Array.from({ length: depth }, () => buffer(bytesOf(4), 'staging')),
      target: buffer(bytesOf(4), 'device'),
      uses: again(kernel(0.05e6)),
    }),
    says: (_, seen) =>
      `A batch of 4\u202fMiB goes every ${ms(seen.stepNs)}. The host waits for ${percent(sum(seen.waits) / seen.windowNs)} of the time.`,
  }),
  // It asks how much of the upload two buffers hide: here is one.
  'overlapped-uploads': playWith({
    asks: 'Here host and device take turns. Who stands still, while the other works?',
    handles: {
      kernelMs: kernelOf('Computing on a batch', 0.2, 2, 0.8),
      mib: sizeOf('A batch', 1, 8, 4),
      link: rateOf('It is carried at', 4, 16, 6),
    },
    windowNs: 8e6,
    program: 'overlapped-uploads/serial',
    card: ({ link }) => ({
      host: { fillRate: FILL_RATE },
      process: { ...LOOKS_OFTEN, ...carries(link) },
    }),
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
  }),
  // It asks when the first of eight can be read by who waits for it alone: here all are awaited.
  'streams-and-events': playWith({
    asks: 'All results are awaited before the first is read. For how long does the first one lie there?',
    handles: {
      kernelMs: kernelOf('A result takes', 0.2, 0.8, 0.6),
      results: {
        label: 'Results',
        ...counts([3, 4, 5], 3),
        word: (results) => String(results),
      },
      lookMs: { label: 'Finished work is noticed every', unit: 'ms', ...between(0.1, 1, 0.3) },
    },
    windowNs: 5.5e6,
    program: 'streams-and-events/wait-all',
    card: ({ lookMs }) => ({ process: looksEvery(lookMs * 1e6) }),
    input: ({ kernelMs, results }, { kernel, buffer }) => {
      const counted = Array.from({ length: results }, () => 0)
      return {
        matmuls: counted.map(() => kernel(kernelMs * 1e6)),
        times: 1,
        offsets: counted,
        readbacks: counted.map(() => buffer(256, 'readback')),
        bytes: 256,
      }
    },
    says: (_, { passes, waits }) =>
      `The first result exists after ${ms(passes[0]?.endNs ?? 0)}. The host reads it after ${ms(waits.at(-1)?.endNs ?? 0)}.`,
  }),
  // It asks how much faster a step becomes with the fastest kernel: how long those take, and the bytes, is the machine's.
  'kernel-ladder': playWith({
    asks: 'How much of a step is left to a faster kernel?',
    handles: {
      kernelMs: kernelOf('The kernel', 0.1, 3, 1.5),
      mib: sizeOf('A matrix', 0.5, 4, 1),
      link: rateOf('Bytes are carried at', 4, 16, 8),
    },
    windowNs: 8e6,
    program: 'kernel-ladder/moving',
    card: ({ link }) => ({
      host: { fillRate: FILL_RATE },
      process: { ...LOOKS_OFTEN, ...carries(link) },
    }),
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
  }),
}

export const playOf = (lesson: string): Play | null => plays[lesson] ?? null
