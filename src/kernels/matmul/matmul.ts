/** What all matmul kernels share: the shape, the uniforms, and what the work amounts to. C is m × n, A m × k, B k × n; all ≥ 1. */
import paramsText from '../../../shaders/lib/matmul-params.wgsl?raw'
import { packUniforms, type Kernel } from '../kernel'
import { joinSource, type SourceFile } from '../source'

export interface MatmulShape {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly alpha: number
  /** C += alpha·A·B instead of C =: after N steps C must be N·alpha·A·B, so one check shows that each ran exactly once. */
  readonly accumulate: boolean
}

const F32_BYTES = 4

/** A kernel's own part: how it is cut into workgroups, and what those need. */
export type MatmulPart = Pick<Kernel<MatmulShape>, 'id' | 'constants' | 'workgroups' | 'supports'> &
  Partial<Pick<Kernel<MatmulShape>, 'entryPoint'>> & {
    readonly text: string
    readonly more?: readonly SourceFile[]
  }

export function matmulKernel({
  id,
  text,
  more = [],
  entryPoint = () => 'main',
  constants,
  ...part
}: MatmulPart): Kernel<MatmulShape> {
  const file = `shaders/matmul/${id}.wgsl`
  return {
    ...part,
    id,
    label: `matmul/${id}`,
    file,
    source: joinSource([
      { file: 'shaders/lib/matmul-params.wgsl', text: paramsText },
      { file, text },
      ...more,
    ]),
    bindings: ['params', 'a', 'b', 'c'],
    entryPoint,
    constants: (shape) => ({ ACCUMULATE: Number(shape.accumulate), ...constants(shape) }),
    uniforms: ({ m, n, k, alpha }) =>
      packUniforms([
        ['u32', m],
        ['u32', n],
        ['u32', k],
        ['f32', alpha],
      ]),
    flops: ({ m, n, k }) => 2 * m * n * k,
    bytes: ({ m, n, k, accumulate }) => F32_BYTES * (m * k + k * n + m * n * (accumulate ? 2 : 1)),
  }
}

/** The smallest shape: what a kernel needs whatever the matrices. */
export const UNIT_SHAPE: MatmulShape = { m: 1, n: 1, k: 1, alpha: 1, accumulate: false }
