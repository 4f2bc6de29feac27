/** One thread for each entry of C, every operand read from memory: what a loop nest becomes, and what the others are measured against. */
import text from '../../../shaders/matmul/naive.wgsl?raw'
import { ceilDivide, exceededLimit } from '../kernel'
import { matmulKernel, UNIT_SHAPE, type MatmulShape } from './matmul'

const WORKGROUP_X = 16
const WORKGROUP_Y = 16

const workgroups = ({ m, n }: MatmulShape) =>
  [ceilDivide(n, WORKGROUP_X), ceilDivide(m, WORKGROUP_Y), 1] as const

export const naive = matmulKernel({
  id: 'naive',
  text,
  constants: () => ({ WORKGROUP_X, WORKGROUP_Y }),
  workgroups,
  supports: (limits, shape = UNIT_SHAPE) =>
    exceededLimit(limits, {
      invocations: WORKGROUP_X * WORKGROUP_Y,
      storageBytes: 0,
      workgroups: workgroups(shape),
    }),
})
