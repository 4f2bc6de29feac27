/**
 * The lab's kernels as the model has them: how long a dispatch takes, and what stands in its output
 * afterwards. Kernels are known by the label of their pipeline, sizes by their uniforms, as the
 * WGSL reads them. A kernel that is not here is a learner's own: the model says nothing of it, and
 * so is one of a module that a program has made, whatever its label.
 */
import { FMA_PEAK_INVOCATIONS, fmaPeakFlops, fmaPeakValue } from '../gpu/kernels/calibrate/fma-peak'
import { SCATTER_INVOCATIONS } from '../gpu/kernels/calibrate/scatter'
import { chainWord } from '../gpu/kernels/data/chain'
import { fillInto, fillOf } from '../gpu/kernels/data/fill'
import { bitsOf, GATHER_WORDS, gatherPosition } from '../gpu/kernels/data/gather'
import { wordsOf } from '../gpu/kernels/pcg'
import type { MachineProfile } from './machine-profile'
import { floatOf, type Contents, type Source } from './contents'
import { factorsOf, floatsOf, productSource, total, type Effort, type Product } from './product'

export interface Launch {
  /** Its label. */
  readonly kernel: string
  /** Words of the uniforms. */
  readonly params: readonly number[]
  /** From binding 1 on. */
  readonly buffers: readonly { readonly contents: Contents; readonly words: number }[]
  readonly constants: Readonly<Record<string, number>>
  readonly workgroups: number
  readonly effort: Effort
}

interface Twin {
  /** Without the launch. */
  readonly ns: (launch: Launch, device: MachineProfile['device']) => number
  readonly run: (launch: Launch) => void
}

const word = ({ params }: Launch, index: number): number => params[index] ?? 0
const into = ({ buffers }: Launch, index: number) => {
  const buffer = buffers[index]
  if (!buffer) throw new Error('A kernel of the lab was dispatched without one of its buffers.')
  return buffer
}
const nothing = () => 0

/** Products by the source that reads them: a buffer's contents can be one. */
const products = new WeakMap<Source['at'], Product>()

/** C = alpha · A · B, or C + that. */
function multiply(launch: Launch): void {
  const { constants, effort } = launch
  const [m, n, k] = [word(launch, 0), word(launch, 1), word(launch, 2)]
  const alpha = floatOf(word(launch, 3))
  const [a, b, c] = [into(launch, 0).contents, into(launch, 1).contents, into(launch, 2).contents]
  const accumulates = constants['ACCUMULATE'] === 1
  const factors = factorsOf(a.snapshot(), b.snapshot(), [m, n, k], effort)
  const last = c.last && products.get(c.last.at)
  const isAgain = accumulates && last?.factors === factors && last.alpha === alpha
  const product: Product = isAgain
    ? { ...last, times: last.times + 1 }
    : { factors, alpha, times: 1, before: accumulates ? c.snapshot() : null }
  const source = productSource(product, [m, n])
  products.set(source.at, product)
  c.write({ from: 0, to: m * n, ...source })
}

const matmul: Twin['ns'] = (launch, { matmuls, multiprocessors }) => {
  const [m, n, k] = [word(launch, 0), word(launch, 1), word(launch, 2)]
  const id = launch.kernel.replace(/^matmul\/| .*$/g, '')
  const cost = matmuls.find(({ kernel, below = Infinity }) => kernel === id && Math.min(m, n) < below)
  if (!cost) throw new Error(`The profile has no cost of the kernel '${id}'.`)
  const waves = Math.ceil(launch.workgroups / (multiprocessors * cost.resident))
  return Math.max(waves * k * cost.stepNs, (2 * m * n * k) / cost.gflops)
}

/** Sums of every so many numbers: part p has those that its threads reach. */
function sum(launch: Launch): void {
  const { workgroups } = launch
  const [count, factor] = [word(launch, 0), floatOf(word(launch, 1))]
  const values = into(launch, 0).contents.snapshot()
  const THREADS = 64
  const at = (part: number): number => {
    if (workgroups === 1) return bitsOf(factor * total(values, count))
    let sum = 0
    for (let from = part * THREADS; from < count; from += workgroups * THREADS)
      for (const value of floatsOf(values, from, Math.min(THREADS, count - from))) sum += value
    return bitsOf(factor * sum)
  }
  // All parts together are the sum of all, which may be known where the parts are not.
  const columnSums = (parts: number) =>
    parts === workgroups ? Float64Array.of(factor * total(values, count)) : null
  into(launch, 1).contents.write({ from: 0, to: workgroups, at, columnSums })
}

const bytesOf =
  (bytes: (launch: Launch) => number): Twin['ns'] =>
  (launch, { memoryRate }) =>
    bytes(launch) / memoryRate

const twins: Readonly<Record<string, Twin>> = {
  'calibrate/tick': {
    ns: nothing,
    run: (launch) => {
      into(launch, 0).contents.writeData(0, Uint32Array.of(word(launch, 0)))
    },
  },
  'calibrate/spin': {
    ns: (launch, { spinNs }) => word(launch, 0) * spinNs,
    run: (launch) => {
      into(launch, 0).contents.write({ from: 0, to: 64, at: () => bitsOf(1) })
    },
  },
  // Every iteration waits for memory, as a step of the slowest matmul does; many share its
  // bandwidth.
  'calibrate/scatter': {
    ns: (launch, { memoryRate, matmuls }) =>
      word(launch, 0) *
      Math.max(
        ...matmuls.map(({ stepNs }) => stepNs),
        (4 * SCATTER_INVOCATIONS * launch.workgroups) / memoryRate,
      ),
    run: () => undefined,
  },
  'calibrate/fma-peak': {
    ns: ({ workgroups, params: [iterations = 0] }, { peakGflops }) =>
      fmaPeakFlops({ workgroups, iterations }) / peakGflops,
    run: (launch) => {
      const at = (thread: number) => bitsOf(fmaPeakValue(thread, word(launch, 0)))
      into(launch, 0).contents.write({ from: 0, to: launch.workgroups * FMA_PEAK_INVOCATIONS, at })
    },
  },
  'calibrate/stream-copy': {
    ns: bytesOf((launch) => 32 * word(launch, 0)),
    run: (launch) => {
      const [from, addend] = [into(launch, 0).contents.snapshot().at, floatOf(word(launch, 1))]
      const at = (index: number) => bitsOf(floatOf(from(index)) + addend)
      into(launch, 1).contents.write({ from: 0, to: 4 * word(launch, 0), at })
    },
  },
  'data/fill': {
    ns: bytesOf((launch) => 4 * word(launch, 0)),
    run: (launch) => {
      const [count, seed] = [word(launch, 0), word(launch, 1)]
      const valueAt = fillOf(seed)
      into(launch, 0).contents.write({
        from: 0,
        to: count,
        name: () => `fill ${String(seed)}`,
        at: (index) => bitsOf(valueAt(index)),
        read: (words, first) => {
          fillInto(new Float32Array(words.buffer, words.byteOffset, words.length), first, seed)
        },
      })
    },
  },
  'data/random': {
    ns: bytesOf((launch) => 4 * word(launch, 1)),
    run: (launch) => {
      const [seed, count] = [word(launch, 0), word(launch, 1)]
      into(launch, 0).contents.write({ from: 0, to: count, at: wordsOf(seed) })
    },
  },
  'data/gather': {
    ns: nothing,
    run: (launch) => {
      const [words, seed, from] = [word(launch, 0), word(launch, 1), word(launch, 2)]
      const source = into(launch, 0).contents.snapshot().at
      const at = (index: number) => source(gatherPosition(index - from, seed, words))
      into(launch, 1).contents.write({ from, to: from + GATHER_WORDS, at })
    },
  },
  'data/sum': { ns: bytesOf((launch) => 4 * word(launch, 0)), run: sum },
  'data/chain': {
    ns: nothing,
    run: (launch) => {
      const [ran, { contents, words }] = [into(launch, 0).contents, into(launch, 1)]
      ran.writeData(0, Uint32Array.of(ran.snapshot().at(0) + 1))
      const [before, shape] = [contents.snapshot().at, { mask: word(launch, 0), factor: word(launch, 1) }]
      contents.write({ from: 0, to: words, at: (index) => chainWord(before(index), shape) })
    },
  },
  'data/loss': {
    ns: nothing,
    run: (launch) => {
      const [c, plan, ran, loss] = [0, 1, 2, 3].map((index) => into(launch, index))
      if (!c || !plan || !ran || !loss) return
      const step = ran.contents.snapshot().at(0)
      ran.contents.writeData(0, Uint32Array.of(step + 1))
      const position = plan.contents.snapshot().at(Math.min(step, word(launch, 0) - 1))
      const at = c.contents.snapshot().at
      loss.contents.write({
        from: 0,
        to: 1,
        at: () => (position < c.words ? at(position) : bitsOf(Number.NaN)),
      })
    },
  },
}

/** Null: it is not the lab's. */
export const twinOf = (label: string): Twin | null =>
  label.startsWith('matmul/') ? { ns: matmul, run: multiply } : (twins[label] ?? null)
