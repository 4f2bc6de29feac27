/** A rank's part of the work on its own device: its rows of A, all of B, and what it reads its rows of C through. */
import { FaultError } from '../../base/fault'
import { USAGE } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { fillKernel } from '../../gpu/kernels/data/fill'
import { kernelCall } from '../../gpu/kernels/kernel'
import { createMatmul, createPass } from '../../lab/matmul'
import type { PrepareRank } from '../serve-rank'
import { shared } from '../shared-params'
import { SEED_A, SEED_B } from '../square-matmul'

/** Of one rank. */
export interface ShardSpec {
  /** The whole product is n × n. */
  readonly n: number
  readonly firstRow: number
  readonly rows: number
  /** Products in a pass, each of which adds A·B. */
  readonly times: number
  /** Given to the program besides. */
  readonly extra: object
}

export const prepareRank: PrepareRank = async (site, spec) => {
  const { n, firstRow, rows, times, extra } = spec as ShardSpec // as prepare.ts wrote it
  const { gpu } = site.device
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const [whole, a, b, c] = [
    await site.buffer('whole A', 4 * n * n, usage),
    await site.buffer('A', 4 * n * rows, usage),
    await site.buffer('B', 4 * n * n, usage),
    await site.buffer('C', 4 * n * rows, usage),
  ]
  const readback = await site.buffer('readback', c.sizeBytes, USAGE.mapRead | USAGE.copyDst)
  const encoder = gpu.createCommandEncoder({ label: 'fill' })
  for (const [target, seed] of [[whole, SEED_A] as const, [b, SEED_B] as const])
    createPass(await site.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [target]), 'fill').encode(
      encoder,
    )
  encoder.copyBufferToBuffer(whole.gpu, 4 * n * firstRow, a.gpu, 0, a.sizeBytes)
  gpu.queue.submit([encoder.finish()])
  await site.race(gpu.queue.onSubmittedWorkDone())
  whole.destroy()

  const shape = { m: rows, n, k: n, alpha: 1, accumulate: true }
  const kernel = findMatmul(shared.kernel.default, site.device)
  const unsupported = kernel.supports(site.device, shape)
  if (unsupported)
    throw new FaultError({ code: 'limit', message: `The kernel does not run here: ${unsupported}` })
  const matmul = createMatmul(site.session, await site.dispatch(kernelCall(kernel, shape), [a, b, c]), {
    rows,
    columns: n,
    c: c.gpu,
    flops: kernel.flops(shape),
    bytes: kernel.bytes(shape),
    label: `rows ${String(firstRow)} to ${String(firstRow + rows - 1)}`,
  })
  return {
    input: { matmul, times, readback: readback.gpu, bytes: c.sizeBytes, ...extra },
    before: async () => {
      if (readback.gpu.mapState !== 'unmapped') readback.gpu.unmap()
      const clear = gpu.createCommandEncoder({ label: 'clear C' })
      clear.clearBuffer(c.gpu)
      gpu.queue.submit([clear.finish()])
      await site.race(gpu.queue.onSubmittedWorkDone())
    },
  }
}
