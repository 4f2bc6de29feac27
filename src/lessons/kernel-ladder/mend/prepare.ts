/**
 * The learner's kernel on a small product with an edge, then on one that takes the lab's naive
 * kernel some milliseconds, reached by doubling. Each large product is a pass of its own and starts
 * from a cleared C.
 */
import { readAll, readWords, USAGE, type RunContext } from '../../../gpu'
import { compileShader } from '../../../exercises/worker/shader'
import { seededMatrices, sizeFor, type SeededMatrices } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { BLOCK, NO_TILES, NOT_WRITTEN, placesIn, PRODUCT_PASS, SMALL, type Product } from './checks'

/**
 * The unchanged kernel of the first rung takes so long for one product. A kernel forty times as
 * fast still lasts several steps of a coarse device clock.
 */
const START_MS = 12
const NAIVE = 'naive'
/** Products of a run, in one submission. */
const PASSES = 6

/**
 * The unchanged kernel executes n iterations in an invocation, for n × n invocations. A kernel that
 * computes a block of 4 × 4 entries executes 16 n in the inner of three loops, which share this
 * limit, and longer bodies count more.
 */
const ITERATIONS_PER_N = 160
/** Loops beside the product's own have these iterations, which do not grow with n. */
const ITERATIONS_BESIDE = 4096
const iterationsFor = (n: number): number => ITERATIONS_PER_N * n + ITERATIONS_BESIDE

/** Doubling begins here. */
const FIRST_SIZE = 32
/** A size that is foretold to take longer is not run. */
const LONGEST_MS = 1000
/** Work grows with n³, and sizes by doubling. */
const GROWTH = 8
/** A busy machine may have been what took long. */
const TRIES = 3
/** All products of a run, of a kernel that is far slower than the lab's. */
const RUN_MS = 2000

/** Words behind the small C that no kernel may write. */
const GUARD_WORDS = 1024
/** The small product is checked, but not timed. */
const NOT_TIMED = { reached: 0, reachedMs: 0 }

/** Counts the barriers for `Product.barriers`. */
function barriersIn(wgsl: string): number {
  const code = wgsl.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, ' ')
  const hasTiles = /\bvar\s*<\s*workgroup\b/.test(code)
  return hasTiles ? (code.match(/\bworkgroupBarrier\b/g) ?? []).length : NO_TILES
}

/** Binding 0 the uniform n, then A, B and C, whether a kernel uses them or not. */
function layoutOf(gpu: GPUDevice): GPUBindGroupLayout {
  const types: readonly GPUBufferBindingType[] = [
    'uniform',
    'read-only-storage',
    'read-only-storage',
    'storage',
  ]
  const visibility = GPUShaderStage.COMPUTE
  return gpu.createBindGroupLayout({
    entries: types.map((type, binding) => ({ binding, visibility, buffer: { type } })),
  })
}

/** Matrices as a kernel sees them, and the n that it is told. */
async function bind(context: RunContext, layout: GPUBindGroupLayout, matrices: SeededMatrices) {
  const { gpu } = context.device
  const uniform = await context.buffer('n', 16, USAGE.uniform | USAGE.copyDst)
  const { a, b, c } = matrices
  const bindGroup = gpu.createBindGroup({
    layout,
    entries: [uniform, a, b, c].map((buffer, binding) => ({ binding, resource: { buffer: buffer.gpu } })),
  })
  const tell = (n: number): void => gpu.queue.writeBuffer(uniform.gpu, 0, new Uint32Array([n]))
  return { ...matrices, bindGroup, tell }
}

export const prepare: PrepareExercise<Product> = async (context, services) => {
  const { plan, seed, wgsl } = services
  const { session, device } = context
  const { gpu } = device
  if (wgsl === null) throw new Error('This mend is a shader.')
  const n = Number(plan?.['n'] ?? (await sizeFor(context, services, START_MS, NAIVE)))

  const barriers = barriersIn(wgsl)
  const layout = layoutOf(gpu)
  const shader = await compileShader(context, wgsl, layout, iterationsFor(n))
  const large = await bind(context, layout, await seededMatrices(context, n, seed))
  const small = await bind(context, layout, await seededMatrices(context, SMALL, seed, GUARD_WORDS))

  /**
   * Runs so many products, each from a cleared C. Returns ms from submit() to completion as it is
   * observed.
   */
  const multiply = async (matrices: typeof large, size: number, count = 1): Promise<number> => {
    const encoder = gpu.createCommandEncoder({ label: `${String(size)} × ${String(size)}` })
    const blocks = Math.ceil(size / BLOCK)
    for (let done = 0; done < count; done += 1) {
      if (matrices === large) encoder.clearBuffer(large.c.gpu)
      const pass = encoder.beginComputePass({ label: PRODUCT_PASS })
      shader.setOn(pass)
      pass.setBindGroup(0, matrices.bindGroup)
      pass.dispatchWorkgroups(blocks, blocks)
      pass.end()
      session.work(pass, { flops: 2 * size ** 3, bytes: 12 * size ** 2 })
    }
    matrices.tell(size)
    const startNs = session.now()
    gpu.queue.submit([encoder.finish()])
    await gpu.queue.onSubmittedWorkDone()
    return (session.now() - startNs) / 1e6
  }

  const sizes = [n]
  for (let size = n / 2; size >= FIRST_SIZE; size /= 2) sizes.unshift(Math.ceil(size))
  /** The largest size that was run, and what it took. */
  const reached = { size: 0, ms: 0 }
  const climb = async (): Promise<void> => {
    for (const size of sizes) {
      if (reached.ms * GROWTH > LONGEST_MS) return
      let ms = Infinity
      const mostTries = size === n ? 1 : TRIES
      for (let tries = 0; tries < mostTries && ms * GROWTH > LONGEST_MS; tries += 1)
        ms = Math.min(ms, Math.max(0, (await multiply(large, size)) - 1.5 * services.roundTripMs))
      Object.assign(reached, { size, ms })
    }
  }

  const timed = async (): Promise<void> => {
    if (reached.size < n) return
    await multiply(large, n, Math.max(2, Math.min(PASSES, Math.floor(RUN_MS / reached.ms) - 1)))
  }
  const [warmUp, ...graded] = runsOf<Product>({
    name: 'large',
    input: {},
    find: async () => ({
      n,
      barriers,
      reached: reached.size,
      reachedMs: reached.ms,
      entries: new Float32Array((await readWords(context, large.c, placesIn(n))).buffer),
      behind: [],
    }),
  })
  const smallWords = SMALL ** 2 + GUARD_WORDS
  const smallRun: WorkloadRun<Product> = {
    name: 'small',
    repeat: 0,
    input: {},
    before: async () => {
      gpu.queue.writeBuffer(small.c.gpu, 0, new Uint32Array(smallWords).fill(NOT_WRITTEN))
      await gpu.queue.onSubmittedWorkDone()
    },
    execute: async () => await multiply(small, SMALL),
    find: async () => {
      const words = await readAll(context, small.c.gpu, smallWords)
      return {
        n: SMALL,
        barriers,
        ...NOT_TIMED,
        entries: new Float32Array(words.buffer).slice(0, SMALL ** 2),
        behind: words.slice(SMALL ** 2),
      }
    },
  }
  return {
    plan: { n },
    shader,
    runs: [
      ...(warmUp ? [{ ...warmUp, execute: climb }] : []),
      smallRun,
      ...graded.map((run) => ({ ...run, execute: timed })),
    ],
  }
}
