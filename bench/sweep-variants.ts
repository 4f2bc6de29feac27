/** A variant of a kernel for `npm run bench -- sweep`: files of shaders/ joined with its constants. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../cli/terminal.mjs'
import type { GemmShape } from './matmul-shapes'
import { replaceOnce, withForm, type Form } from './sweep-text'

type Constants = Readonly<Record<string, number>>

export interface Step {
  readonly code: string
  readonly constants: Constants
  readonly workgroups: readonly [number, number, number]
}

export interface Variant {
  readonly name: string
  readonly steps: readonly Step[]
  /** Of parts of C that a second step adds. */
  readonly scratchBytes: number
}

/** How a kernel learns its shape: override constants, constants in the text, literals in place of the functions, uniforms. */
export type Binding = 'override' | 'text' | 'literal' | 'uniform'

export interface Blocked {
  readonly rows: number
  readonly columns: number
  readonly line: 8 | 16
  readonly along: 'across' | 'down'
  readonly slices: number
  readonly depth?: 8 | 16
  readonly lanesN?: number
  readonly parts?: number
  readonly binding?: Binding
  readonly forms?: readonly Form[]
}

const file = (name: string): string => readFileSync(join(ROOT, 'shaders', name), 'utf8')
const ceilDivide = (one: number, other: number): number => Math.ceil(one / other)

function bound(
  code: string,
  binding: Binding,
  { m, n, k }: GemmShape,
): { readonly code: string; readonly constants: Constants } {
  if (binding === 'override') return { code, constants: { M: m, N: n, K: k } }
  if (binding === 'uniform') return { code, constants: {} }
  let text = code
  for (const [name, value] of Object.entries({ M: m, N: n, K: k }))
    text = replaceOnce(text, `override ${name}: u32;`, `const ${name} = ${String(value)}u;`)
  if (binding === 'literal')
    for (const [name, value] of Object.entries({ m, n, k }))
      text = text.replaceAll(new RegExp(`(?<!fn )size_${name}\\(\\)`, 'g'), `${String(value)}u`)
  return { code: text, constants: {} }
}

const operands = ({ n, k }: GemmShape, a: 'a' | 'row' = 'a'): string =>
  file(`lib/${a}-${k % 4 === 0 ? 'in-fours' : 'one-by-one'}.wgsl`) +
  file(`lib/b-${n % 4 === 0 ? 'in-fours' : 'one-by-one'}.wgsl`)

const shapeFile = (binding: Binding): string =>
  file(`lib/shape-${binding === 'uniform' ? 'given' : 'known'}.wgsl`)

export function blocked(shape: GemmShape, options: Blocked): Variant {
  const { rows, columns, line, along, slices, depth = 16, lanesN = 8 } = options
  const { parts = 1, binding = 'override', forms = [] } = options
  const { m, n } = shape
  const tile = `const ROWS = ${String(rows)}u;
const COLUMNS = ${String(columns)}u;
const TILE_K = ${String(depth)}u;
const SLICES = ${String(slices)}u;
const LANES_N = ${String(lanesN)}u;
`
  const module =
    file('lib/matmul-params.wgsl') +
    shapeFile(binding) +
    operands(shape) +
    tile +
    file(`lib/lines-of-${String(line)}.wgsl`) +
    file(`lib/lines-${along}.wgsl`) +
    file(`lib/${slices === 1 ? 'one-slice' : 'several-slices'}.wgsl`) +
    file('matmul/specialised.wgsl')
  const { code, constants } = bound(forms.reduce(withForm, module), binding, shape)
  const name = [
    `${String(rows)}×${String(columns)}×${String(depth)}`,
    along === 'across' ? `8×${String(line)}` : `${String(line)}×8`,
    `slices ${String(slices)}`,
    `lanes ${String(32 / lanesN)}×${String(lanesN)}`,
    ...(parts > 1 ? [`parts ${String(parts)}`] : []),
    binding,
    ...forms,
  ].join(', ')
  const main: Step = {
    code,
    constants: { ...constants, ...(parts > 1 ? { PARTS: parts } : { ACCUMULATE: 0 }) },
    workgroups: [ceilDivide(n, columns), ceilDivide(m, rows), parts],
  }
  return {
    name,
    steps: parts > 1 ? [main, sumParts(shape, parts)] : [main],
    scratchBytes: parts > 1 ? parts * m * n * 4 : 0,
  }
}

function sumParts({ m, n }: GemmShape, parts: number): Step {
  const isFour = (m * n) % 4 === 0
  const groups = ceilDivide(m * n, isFour ? 256 : 64)
  const across = Math.min(groups, 4096)
  return {
    code:
      file('lib/matmul-params.wgsl') +
      file(`lib/parts-${isFour ? 'in-fours' : 'one-by-one'}.wgsl`) +
      file('matmul/sum-parts.wgsl'),
    constants: { PARTS: parts, ACCUMULATE: 0 },
    workgroups: [across, ceilDivide(groups, across), 1],
  }
}

export function vector(
  shape: GemmShape,
  columns4: number,
  slices: number,
  group: number,
  binding: Binding,
  forms: readonly Form[] = [],
): Variant {
  const { code, constants } = bound(
    forms.reduce(
      withForm,
      file('lib/matmul-params.wgsl') +
        shapeFile(binding) +
        operands(shape, 'row') +
        file('matmul/vector-matrix.wgsl'),
    ),
    binding,
    shape,
  )
  return {
    name: `vector ${String(columns4)} fours × ${String(slices)} slices, sums by ${String(group)}, ${[binding, ...forms].join(', ')}`,
    steps: [
      {
        code,
        constants: { ...constants, COLUMNS_4: columns4, SLICES: slices, GROUP: group, ACCUMULATE: 0 },
        workgroups: [ceilDivide(shape.n, 4 * columns4), shape.m, 1],
      },
    ],
    scratchBytes: 0,
  }
}

/** `pipelined`, for comparison. */
export function today(shape: GemmShape, side: number, slices: number): Variant {
  const { m, n, k } = shape
  const isFour = n % 4 === 0 && k % 4 === 0
  const whole = m % side === 0 && n % side === 0 && k % (16 * slices) === 0
  return {
    name: `pipelined ${String(side)}, slices ${String(slices)}`,
    steps: [
      {
        code:
          file('lib/matmul-params.wgsl') +
          file(`lib/matmul-${isFour ? 'fours' : 'any'}.wgsl`) +
          file(`lib/pipelined-${String(side)}-by-${String(slices)}.wgsl`) +
          file('matmul/pipelined.wgsl'),
        constants: isFour ? { EDGES: Number(!whole) } : {},
        workgroups: [ceilDivide(n, side), ceilDivide(m, side), 1],
      },
    ],
    scratchBytes: 0,
  }
}
