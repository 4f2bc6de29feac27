/**
 * Operands of a tuner's trials: random, since power and so clocks depend on the data, with sampled
 * entries of their product to check against.
 */
import { readWords, USAGE, type OwnedBuffer, type RunContext } from '../../../src/gpu'
import type { MatmulShape } from '../../../src/gpu/kernels/catalog'
import { fillKernel } from '../../../src/gpu/kernels/data/fill'
import { kernelCall } from '../../../src/gpu/kernels/kernel'
import { compareSamples, samplePositions, tolerance } from '../../../src/gpu/kernels/matmul/reference'
import { seededEntries } from '../../../src/gpu/kernels/matmul/seeded-entry'

const SEEDS = { a: 1, b: 2 }
const SAMPLES = 48
const F32_BYTES = 4

export interface TrialOperands {
  /** A, B and C, as kernels bind them. */
  readonly buffers: readonly [OwnedBuffer, OwnedBuffer, OwnedBuffer]
  /** C = 0, awaited. */
  readonly clear: () => Promise<void>
  /** The sampled entries of C as they are. */
  readonly read: () => Promise<Float32Array>
  /**
   * Checks entries that were read after one dispatch of `trial`, perhaps with a smaller k, on C =
   * 0.
   */
  readonly compare: (got: Float32Array, trial: MatmulShape) => ReturnType<typeof compareSamples>
  readonly release: () => void
}

interface Expected {
  readonly values: readonly number[]
  readonly scales: readonly number[]
}

/** Entries of C after one dispatch on zeros, as they should be. */
function expectedEntries(
  { n, k, alpha }: MatmulShape,
  positions: readonly (readonly [row: number, column: number])[],
): Expected {
  const entries = seededEntries({ n, k, seedA: SEEDS.a, seedB: SEEDS.b }, positions)
  return {
    values: entries.map(({ value }) => alpha * value),
    scales: entries.map(({ scale }) => Math.abs(alpha) * scale),
  }
}

export async function openOperands(context: RunContext, { m, n, k }: MatmulShape): Promise<TrialOperands> {
  const { queue } = context
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('tuning A', m * k * F32_BYTES, usage)
  const b = await context.buffer('tuning B', k * n * F32_BYTES, usage)
  const c = await context.buffer('tuning C', m * n * F32_BYTES, usage)
  for (const [buffer, count, seed] of [
    [a, m * k, SEEDS.a],
    [b, k * n, SEEDS.b],
  ] as const) {
    const dispatch = await context.dispatch(kernelCall(fillKernel, { count, seed }), [buffer])
    const encoding = queue.encode('fill')
    encoding.pass('fill', [dispatch])
    await queue.wait(queue.submit('fill', [encoding]))
    await queue.collect()
    context.release(dispatch.uniforms)
  }
  const positions = samplePositions(m, n, SAMPLES, 1)
  const words = positions.map(([row, column]) => row * n + column)
  let known: { readonly k: number; readonly expected: Expected } | null = null
  return {
    buffers: [a, b, c],
    clear: async () => {
      const encoding = queue.encode('clear C')
      encoding.clear(c)
      await queue.wait(queue.submit('clear C', [encoding]))
    },
    read: async () => new Float32Array((await readWords(context, c, words)).buffer),
    compare: (got, trial) => {
      if (known?.k !== trial.k) known = { k: trial.k, expected: expectedEntries(trial, positions) }
      const { values, scales } = known.expected
      return compareSamples(values, scales, got, tolerance(trial.k, 1))
    },
    release: () => {
      for (const buffer of [a, b, c]) context.release(buffer)
    },
  }
}
