/**
 * The lab's kernels as the model has them: how long a dispatch takes, and what stands in its output afterwards. Kernels are known by the label
 * of their pipeline, sizes by their uniforms, as the WGSL reads them. A kernel that is not here is a learner's own: the model says nothing of it.
 */
import { FMA_PEAK_INVOCATIONS, fmaPeakValue } from '../kernels/calibrate/fma-peak'
import { chainWord } from '../kernels/data/chain'
import { fillValue } from '../kernels/data/fill'
import { GATHER_WORDS, gatherPosition } from '../kernels/data/gather'
import { randomWord } from '../kernels/pcg'
import type { Card } from './card'
import { bitsOf, floatOf, type Contents, type Product } from './contents'

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

/** Multiply-adds that may still be worked out for those who read results, and words that were asked for beyond that. */
export interface Effort {
  left: number
  leftOut: number
}

interface Twin {
  /** Without the launch. */
  readonly ns: (launch: Launch, device: Card['device']) => number
  readonly run: (launch: Launch) => void
}

const word = ({ params }: Launch, index: number): number => params[index] ?? 0
const into = ({ buffers }: Launch, index: number) => {
  const buffer = buffers[index]
  if (!buffer) throw new Error('A kernel of the lab was dispatched without one of its buffers.')
  return buffer
}
const nothing = () => 0

/** C = alpha · A · B, or C + that. */
function multiply(launch: Launch): void {
  const { constants, effort } = launch
  const [m, n, k] = [word(launch, 0), word(launch, 1), word(launch, 2)]
  const alpha = floatOf(word(launch, 3))
  const [a, b, c] = [into(launch, 0).contents, into(launch, 1).contents, into(launch, 2).contents]
  const accumulates = constants['ACCUMULATE'] === 1
  const key = [m, n, k, alpha].join()
  const of = [a.version, b.version]
  const last = c.lastProduct
  const again = accumulates && last?.key === key && last.of.every((each, index) => each === of[index])
  const product: Product = again
    ? { ...last, times: last.times + 1 }
    : { key, of, times: 1, before: accumulates ? c.snapshot() : nothing, dots: new Map() }
  const [aAt, bAt] = [a.snapshot(), b.snapshot()]
  const dot = (at: number): number => {
    const found = product.dots.get(at)
    if (found !== undefined) return found
    if (effort.left < k) {
      effort.leftOut += 1
      return Number.NaN
    }
    effort.left -= k
    const [row, column] = [Math.floor(at / n), at % n]
    let sum = 0
    for (let i = 0; i < k; i += 1) sum += floatOf(aAt(row * k + i)) * floatOf(bAt(i * n + column))
    product.dots.set(at, sum)
    return sum
  }
  const at = (index: number): number => {
    const added = alpha * dot(index)
    let sum = floatOf(product.before(index))
    for (let count = 0; count < product.times; count += 1) sum = Math.fround(sum + added)
    return bitsOf(sum)
  }
  c.write({ from: 0, to: m * n, at, product })
}

const matmul: Twin['ns'] = (launch, { matmuls, multiprocessors }) => {
  const [m, n, k] = [word(launch, 0), word(launch, 1), word(launch, 2)]
  const id = launch.kernel.replace(/^matmul\/| .*$/g, '')
  const cost = matmuls.find(({ kernel, below = Infinity }) => kernel === id && Math.min(m, n) < below)
  if (!cost) throw new Error(`The card has no cost of the kernel '${id}'.`)
  const waves = Math.ceil(launch.workgroups / (multiprocessors * cost.resident))
  return Math.max(waves * k * cost.stepNs, (2 * m * n * k) / cost.gflops)
}

/** Sums of every so many numbers: part p has those that its threads reach. */
function sum(launch: Launch): void {
  const { effort, workgroups } = launch
  const [count, factor] = [word(launch, 0), floatOf(word(launch, 1))]
  const values = into(launch, 0).contents.snapshot()
  const THREADS = 64
  const at = (part: number): number => {
    let total = 0
    for (let index = 0; index < count; index += 1) {
      if (Math.floor(index / THREADS) % workgroups !== part) continue
      if (effort.left < 1) {
        effort.leftOut += 1
        return bitsOf(Number.NaN)
      }
      effort.left -= 1
      total += floatOf(values(index))
    }
    return bitsOf(factor * total)
  }
  into(launch, 1).contents.write({ from: 0, to: workgroups, at })
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
  'calibrate/fma-peak': {
    ns: ({ constants, workgroups, params: [iterations = 0] }, { peakGflops }) =>
      (2 * 4 * (constants['CHAINS'] ?? 1) * 8 * iterations * FMA_PEAK_INVOCATIONS * workgroups) / peakGflops,
    run: (launch) => {
      const shape = { iterations: word(launch, 0), chains: launch.constants['CHAINS'] ?? 1 }
      const to = launch.workgroups * FMA_PEAK_INVOCATIONS
      into(launch, 0).contents.write({ from: 0, to, at: (thread) => bitsOf(fmaPeakValue(thread, shape)) })
    },
  },
  'calibrate/stream-copy': {
    ns: bytesOf((launch) => 32 * word(launch, 0)),
    run: (launch) => {
      const [from, addend] = [into(launch, 0).contents.snapshot(), floatOf(word(launch, 1))]
      const at = (index: number) => bitsOf(floatOf(from(index)) + addend)
      into(launch, 1).contents.write({ from: 0, to: 4 * word(launch, 0), at })
    },
  },
  'data/fill': {
    ns: bytesOf((launch) => 4 * word(launch, 0)),
    run: (launch) => {
      const [count, seed] = [word(launch, 0), word(launch, 1)]
      into(launch, 0).contents.write({ from: 0, to: count, at: (index) => bitsOf(fillValue(index, seed)) })
    },
  },
  'data/random': {
    ns: bytesOf((launch) => 4 * word(launch, 1)),
    run: (launch) => {
      const [seed, count] = [word(launch, 0), word(launch, 1)]
      into(launch, 0).contents.write({ from: 0, to: count, at: (index) => randomWord(index, seed) })
    },
  },
  'data/gather': {
    ns: nothing,
    run: (launch) => {
      const [words, seed, from] = [word(launch, 0), word(launch, 1), word(launch, 2)]
      const source = into(launch, 0).contents.snapshot()
      const at = (index: number) => source(gatherPosition(index - from, seed, words))
      into(launch, 1).contents.write({ from, to: from + GATHER_WORDS, at })
    },
  },
  'data/sum': { ns: bytesOf((launch) => 4 * word(launch, 0)), run: sum },
  'data/chain': {
    ns: nothing,
    run: (launch) => {
      const [ran, { contents, words }] = [into(launch, 0).contents, into(launch, 1)]
      ran.writeData(0, Uint32Array.of(ran.snapshot()(0) + 1))
      const [before, shape] = [contents.snapshot(), { mask: word(launch, 0), factor: word(launch, 1) }]
      contents.write({ from: 0, to: words, at: (index) => chainWord(before(index), shape) })
    },
  },
  'data/loss': {
    ns: nothing,
    run: (launch) => {
      const [c, plan, ran, loss] = [0, 1, 2, 3].map((index) => into(launch, index))
      if (!c || !plan || !ran || !loss) return
      const step = ran.contents.snapshot()(0)
      ran.contents.writeData(0, Uint32Array.of(step + 1))
      const position = plan.contents.snapshot()(Math.min(step, word(launch, 0) - 1))
      const at = c.contents.snapshot()
      loss.contents.write({
        from: 0,
        to: 1,
        at: () => (position < c.words ? at(position) : bitsOf(Number.NaN)),
      })
    },
  },
}

/** @throws Error for a kernel that is not the lab's. */
export function twinOf(label: string): Twin {
  const found = label.startsWith('matmul/') ? { ns: matmul, run: multiply } : twins[label]
  if (!found)
    throw new Error(
      `The model does not know the kernel '${label}': what it computes, and how long, cannot be told.`,
    )
  return found
}
