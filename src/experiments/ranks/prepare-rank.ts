/**
 * A rank's part of the work on its own device: its rows of A, all of B, and what it reads its rows
 * of C through.
 */
import { STORAGE, USAGE } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { createFill, squareMatmul } from '../../lab/matmul'
import type { PrepareRank } from '../serve-rank'
import { shared } from '../shared-params'
import { SEED_A, SEED_B } from '../square-matmul'

/** The share of one rank. */
export interface ShardSpec {
  /** The whole product is n × n. */
  readonly n: number
  readonly firstRow: number
  readonly rows: number
  /** Products in a pass, each of which adds A·B. */
  readonly times: number
  /** The program gets this besides its shard. */
  readonly extra: object
}

export const prepareRank: PrepareRank = async (site, spec) => {
  const { n, firstRow, rows, times, extra } = spec as ShardSpec // prepare.ts wrote it
  const [whole, a, b, c] = [
    await site.buffer('whole A', 4 * n * n, STORAGE),
    await site.buffer('A', 4 * n * rows, STORAGE),
    await site.buffer('B', 4 * n * n, STORAGE),
    await site.buffer('C', 4 * n * rows, STORAGE),
  ]
  const readback = await site.buffer('readback', c.sizeBytes, USAGE.mapRead | USAGE.copyDst)
  const fills = await Promise.all([createFill(site, whole, SEED_A), createFill(site, b, SEED_B)])
  await site.queue.run('fill', (encoder) => {
    for (const fill of fills) fill.encode(encoder)
    encoder.copyBufferToBuffer(whole.gpu, 4 * n * firstRow, a.gpu, 0, a.sizeBytes)
  })
  whole.destroy()

  const kernel = findMatmul(shared.kernel.default, site.device)
  const label = `rows ${String(firstRow)} to ${String(firstRow + rows - 1)}`
  const matmul = await squareMatmul(site, kernel, n, [a, b, c], label, rows)
  return {
    input: { matmul, times, readback: readback.gpu, bytes: c.sizeBytes, ...extra },
    before: async () => {
      if (readback.gpu.mapState !== 'unmapped') readback.gpu.unmap()
      await site.queue.run('clear C', (encoder) => encoder.clearBuffer(c.gpu))
    },
  }
}
