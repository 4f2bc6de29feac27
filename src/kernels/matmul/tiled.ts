/** One thread for each entry of C; tiles of A and B are shared through workgroup memory, so memory is read TILE times less. */
import text from '../../../shaders/matmul/tiled.wgsl?raw'
import { ceilDivide, exceededLimit } from '../kernel'
import { matmulKernel, UNIT_SHAPE, type MatmulShape } from './matmul'

/** 16 · 16 = 256 threads: as many as every device takes. */
const TILE = 16
const STORAGE_BYTES = 2 * TILE * TILE * 4

const workgroups = ({ m, n }: MatmulShape) => [ceilDivide(n, TILE), ceilDivide(m, TILE), 1] as const

export const tiled = matmulKernel({
  id: 'tiled',
  text,
  constants: () => ({ TILE }),
  workgroups,
  supports: (limits, shape = UNIT_SHAPE) =>
    exceededLimit(limits, {
      invocations: TILE * TILE,
      storageBytes: STORAGE_BYTES,
      workgroups: workgroups(shape),
    }),
})
