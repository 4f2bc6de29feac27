/**
 * The steps that move their data: A and B into staging buffers, copies, the matmul, C into a readback buffer and to the host. One
 * after the other, as a program does that has not heard of overlap. Every step has matrices of its own, so that an upload which was
 * skipped, or a result of another step, is wrong.
 */
import { readWords, type RunContext, type Submission } from '../../engine'
import { fillValue } from '../../kernels/data/fill'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../../kernels/matmul/reference'
import type { Verification } from '../../trace/report'
import type { Ladder, Rung } from './ladder'

const SAMPLES = 32
const POOL_SEED = 11
/** Words between the beginnings of two matrices in the pool: odd, so that no row of one lies under a row of another. */
const STRIDE_WORDS = 1021

export interface MovingSteps {
  readonly bytesPerStep: number
  readonly begin: () => Promise<void>
  /** Uploads, multiplies unless `rung` is null, reads back. Resolves when C is here. */
  readonly step: (index: number, rung: Rung | null) => Promise<Submission>
  readonly end: () => Promise<void>
  /** Everything since `begin`, of a window with `steps` steps. */
  readonly verify: (steps: number, multiplied: boolean) => Promise<Verification>
}

export async function prepareMovingSteps(
  context: RunContext,
  ladder: Ladder,
  maxSteps: number,
): Promise<MovingSteps> {
  const { queue, recorder } = context
  const { n, matrixBytes, a, b, c, flops, bytes } = ladder
  const words = n * n
  const pool = new Float32Array(words + 2 * maxSteps * STRIDE_WORDS)
  // Written in full: a page that was never touched would be mapped in during the first measured fill.
  for (let index = 0; index < pool.length; index += 1) pool[index] = fillValue(index, POOL_SEED)
  const offsetOf = (matrix: number) => matrix * STRIDE_WORDS
  const valueAt = (matrix: number, position: number) => pool[offsetOf(matrix) + position] ?? Number.NaN

  const staging = await context.stagingRing(2, matrixBytes)
  const readback = await context.readbackRing(1, matrixBytes)
  const positions = samplePositions(n, n, SAMPLES, n)
  /** Sampled entries of C as each step read it back. */
  let got: Float32Array[] = []

  const fill = async (matrix: number) => {
    const { tag } = recorder
    const slot = await staging.acquire()
    recorder.tag = tag // other continuations ran while this one awaited
    staging.fill(slot, matrixBytes, (range) => {
      new Float32Array(range).set(pool.subarray(offsetOf(matrix), offsetOf(matrix) + words))
    })
    return slot
  }
  const clear = async () => {
    const encoding = queue.encode('clear A, B, C')
    for (const buffer of [a, b, c]) encoding.clear(buffer)
    await queue.wait(queue.submit('clear A, B, C', [encoding]))
  }

  /** C after step `index`: the sum of all products until then; every entry's scale grows with it. */
  const expectedAfter = (steps: number) => {
    const sums = positions.map(() => ({ value: 0, scale: 0 }))
    return Array.from({ length: steps }, (_, step) => {
      positions.forEach(([row, column], at) => {
        const aAt = (i: number, k: number) => valueAt(2 * step, i * n + k)
        const bAt = (k: number, j: number) => valueAt(2 * step + 1, k * n + j)
        const { value, scale } = referenceEntry(row, column, n, aAt, bAt)
        const sum = sums[at]
        if (sum) sums[at] = { value: sum.value + value, scale: sum.scale + scale }
      })
      return [...sums]
    })
  }

  return {
    bytesPerStep: 3 * matrixBytes,
    begin: async () => {
      got = []
      await clear()
      await staging.begin(2)
    },
    step: async (index, rung) => {
      const { tag } = recorder
      const label = `step ${String(index)}`
      const slotA = await fill(2 * index)
      const slotB = await fill(2 * index + 1)
      const encoding = queue.encode(label)
      staging.encodeCopy(encoding, slotA, a, matrixBytes)
      staging.encodeCopy(encoding, slotB, b, matrixBytes)
      if (rung) encoding.pass(`matmul ${rung.id}`, [rung.dispatch], { flops, bytes })
      const copied = readback.encodeCopy(encoding, c, 0, matrixBytes)
      const submission = queue.submit(label, [encoding])
      staging.release(slotA, submission)
      staging.release(slotB, submission)
      const result = new Float32Array(await readback.read(copied, submission, matrixBytes))
      recorder.tag = tag
      got.push(Float32Array.from(positions, ([row, column]) => result[row * n + column] ?? Number.NaN))
      return submission
    },
    end: () => staging.end(),
    verify: async (steps, multiplied) => {
      if (multiplied) {
        const expected = expectedAfter(steps)
        return {
          ...compareSamples(
            expected.flatMap((sums) => sums.map(({ value }) => value)),
            expected.flatMap((sums) => sums.map(({ scale }) => scale)),
            got.flatMap((values) => [...values]),
            tolerance(n, steps),
          ),
          what: 'sampled entries of every C read back against a float64 reference of the matrices uploaded',
        }
      }
      // Nothing was multiplied: what was uploaded last must be there, bit by bit, and C must have stayed 0.
      const at = positions.map(([row, column]) => row * n + column)
      const last = steps - 1
      const arrived = [
        ...new Float32Array((await readWords(context, a, at)).buffer),
        ...new Float32Array((await readWords(context, b, at)).buffer),
        ...got.flatMap((values) => [...values]),
      ]
      const wanted = [
        ...at.map((position) => valueAt(2 * last, position)),
        ...at.map((position) => valueAt(2 * last + 1, position)),
        ...got.flatMap((values) => [...values].fill(0)),
      ]
      return {
        ...compareSamples(
          wanted,
          wanted.map(() => 1),
          arrived,
          0,
        ),
        what: 'sampled words of A and B as uploaded, and of C as read back',
      }
    },
  }
}
