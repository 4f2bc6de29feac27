/** What `npm run bench -- sweep` tries at a shape: files of shaders/ joined with the constants of each variant. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../cli/terminal.mjs'
import type { GemmShape } from './matmul-shapes'

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
type Binding = 'override' | 'text' | 'literal' | 'uniform'

interface Blocked {
  readonly rows: number
  readonly columns: number
  readonly line: 8 | 16
  readonly along: 'across' | 'down'
  readonly slices: number
  readonly depth?: 8 | 16
  readonly lanesN?: number
  readonly zOrder?: boolean
  readonly band?: number
  readonly parts?: number
  readonly binding?: Binding
  /** After the last tiles: nothing is fetched (a branch), the last again, what lies behind it, or the loop ends a step early. */
  readonly end?: 'branch' | 'again' | 'beyond' | 'peeled'
  /** How a step of k is written: in functions and loops, its loop of two written out, in main, or in main with a variable for each vector. */
  readonly step?: 'loop' | 'written' | 'main' | 'named'
}

const file = (name: string): string => readFileSync(join(ROOT, 'shaders', name), 'utf8')
const ceilDivide = (one: number, other: number): number => Math.ceil(one / other)

function replaceOnce(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The WGSL has no '${from}'.`)
  return code.replace(from, to)
}

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

const between = (code: string, from: string, to: string): string => {
  const start = code.indexOf(from)
  const until = code.indexOf(to, start)
  if (start < 0 || until < 0) throw new Error(`The WGSL has no '${from}' before '${to}'.`)
  return code.slice(start, until)
}

function withEnd(kernel: string, end: NonNullable<Blocked['end']>): string {
  if (end === 'again') return kernel
  const fetch = between(kernel, '    a_at += select(', '    multiply_')
  const beyond = fetch.replaceAll(/select\(0, (.*), step \+ 1 < count\)/g, '$1')
  if (end === 'beyond') return kernel.replace(fetch, beyond)
  if (end === 'branch') return kernel.replace(fetch, `    if (step + 1 < count) {\n${beyond}    }\n`)
  const share = between(kernel, '    if (A_BLOCKS >= THREADS ||', '    // On their way')
  const multiply = between(kernel, '    multiply_', '  // Written out: in a loop')
  return kernel
    .replace('for (var step = 0u; step < count; step += 1u)', 'for (var step = 1u; step < count; step += 1u)')
    .replace(fetch, beyond)
    .replace('  // Written out: in a loop', `  {\n${share}${multiply}\n  // Written out: in a loop`)
}

/** The product of two tiles, as text that a person would not write. */
function withStep(kernel: string, step: NonNullable<Blocked['step']>, line: 8 | 16, depth: 8 | 16): string {
  const parts = ['x', 'y', 'z', 'w']
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  const vectors = line / 4
  if (step === 'loop') return kernel
  if (step === 'written') {
    const loop = between(kernel, '  for (var four = 0u; four < SHORT_4', 'fn multiply_eight')
    const lines = range(2).flatMap((four) => [
      `  let factors_${String(four)} = sh_short[slice][k][${String(four)}][place.y];`,
      ...parts.map((part, at) => {
        const sum = `(*sums)[${String(4 * four + at)}]`
        return `  ${sum} = add_product(${sum}, factors_${String(four)}.${part}, line);`
      }),
    ])
    return kernel.replace(loop, `${lines.join('\n')}\n}\n\n`)
  }
  const multiply = between(
    kernel,
    '    multiply_eight(&sums, 0',
    '    workgroupBarrier(); // everyone has read them: the next may',
  )
  const lines = range(depth).map((k) => {
    const read = range(vectors).map(
      (at) => `let l_${String(at)} = sh_long[slice][${String(k)}][${String(at)}][place.x];`,
    )
    const sums = range(2).flatMap((four) => [
      `let f_${String(four)} = sh_short[slice][${String(k)}][${String(four)}][place.y];`,
      ...parts.flatMap((part, at) =>
        range(vectors).map((vector) => {
          const row = String(4 * four + at)
          const sum = step === 'named' ? `s_${row}_${String(vector)}` : `sums[${row}][${String(vector)}]`
          return `${sum} = fma(vec4f(f_${String(four)}.${part}), l_${String(vector)}, ${sum});`
        }),
      ),
    ])
    return `    { ${[...read, ...sums].join(' ')} }\n`
  })
  const changed = kernel.replaceAll(multiply, lines.join(''))
  if (step === 'main') return changed
  const names = range(8).map((row) => range(vectors).map((at) => `s_${String(row)}_${String(at)}`))
  const declared = names.flat().map((name) => `  var ${name}: vec4f;`)
  const joined = names.map((row, at) => `  sums[${String(at)}] = Line(${row.join(', ')});`)
  return changed
    .replace('  var sums: Sums;', `${declared.join('\n')}\n  var sums: Sums;`)
    .replace('  // Written out: in a loop', `${joined.join('\n')}\n  // Written out: in a loop`)
}

function blocked(shape: GemmShape, options: Blocked): Variant {
  const { rows, columns, line, along, slices, depth = 16, lanesN = 8, zOrder = true } = options
  const { band = 1, parts = 1, binding = 'override', end = 'again', step = 'loop' } = options
  const { m, n } = shape
  const tile = `const ROWS = ${String(rows)}u;
const COLUMNS = ${String(columns)}u;
const TILE_K = ${String(depth)}u;
const SLICES = ${String(slices)}u;
const LANES_N = ${String(lanesN)}u;
`
  let kernel = file('matmul/specialised.wgsl')
  if (!zOrder) {
    kernel = replaceOnce(kernel, '(lane & 1) | ((lane >> 1) & (LANES_N - 2))', 'lane % LANES_N')
    kernel = replaceOnce(
      kernel,
      '((lane >> 1) & 1) | ((lane / LANES_N) & (32 / LANES_N - 2))',
      'lane / LANES_N',
    )
  }
  kernel = withStep(withEnd(kernel, end), step, line, depth)
  const { code, constants } = bound(
    file('lib/matmul-params.wgsl') +
      shapeFile(binding) +
      operands(shape) +
      tile +
      file(`lib/lines-of-${String(line)}.wgsl`) +
      file(`lib/lines-${along}.wgsl`) +
      kernel,
    binding,
    shape,
  )
  const name = [
    `${String(rows)}×${String(columns)}×${String(depth)}`,
    along === 'across' ? `8×${String(line)}` : `${String(line)}×8`,
    `slices ${String(slices)}`,
    `lanes ${String(32 / lanesN)}×${String(lanesN)}${zOrder ? '' : ' plain'}`,
    `band ${String(band)}`,
    ...(parts > 1 ? [`parts ${String(parts)}`] : []),
    binding,
    ...(end === 'again' ? [] : [end]),
    ...(step === 'loop' ? [] : [step]),
  ].join(', ')
  const main: Step = {
    code,
    constants: { ...constants, BAND: band, ...(parts > 1 ? { PARTS: parts } : { ACCUMULATE: 0 }) },
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

function vector(
  shape: GemmShape,
  columns4: number,
  slices: number,
  group: number,
  binding: Binding,
): Variant {
  const { code, constants } = bound(
    file('lib/matmul-params.wgsl') +
      shapeFile(binding) +
      operands(shape, 'row') +
      file('matmul/vector-matrix.wgsl'),
    binding,
    shape,
  )
  return {
    name: `vector ${String(columns4)} fours × ${String(slices)} slices, sums by ${String(group)}, ${binding}`,
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

/** Today's kernels, for comparison. */
function today(shape: GemmShape, side: number, slices: number): Variant {
  const { m, n, k } = shape
  const isFour = n % 4 === 0 && k % 4 === 0
  const whole = m % side === 0 && n % side === 0 && k % (16 * slices) === 0
  return {
    name: `today: pipelined ${String(side)}, slices ${String(slices)}`,
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

function todayVector(shape: GemmShape, slices: number): Variant {
  const isFour = shape.n % 4 === 0 && shape.k % 4 === 0
  return {
    name: `today: row-vector, slices ${String(slices)}`,
    steps: [
      {
        code:
          file('lib/matmul-params.wgsl') +
          file(`lib/matmul-${isFour ? 'fours' : 'any'}.wgsl`) +
          file('matmul/row-vector.wgsl'),
        constants: { SLICES: slices },
        workgroups: [ceilDivide(shape.n, 32), shape.m, 1],
      },
    ],
    scratchBytes: 0,
  }
}

const LARGE: Blocked = { rows: 128, columns: 128, line: 16, along: 'across', slices: 1 }
const MIDDLE: Blocked = { rows: 64, columns: 128, line: 16, along: 'across', slices: 4 }
const MIDDLE_DOWN: Blocked = { ...MIDDLE, along: 'down' }
const SMALL: Blocked = { rows: 32, columns: 64, line: 8, along: 'across', slices: 8 }
const WIDE: Blocked = { rows: 64, columns: 256, line: 16, along: 'across', slices: 1, parts: 16 }
const BINDINGS: readonly Binding[] = ['text', 'literal', 'uniform']
const CANDIDATES = [LARGE, MIDDLE, MIDDLE_DOWN, SMALL]

/** One candidate with one thing changed at a time, and some of those together. */
function favourite(shape: GemmShape, one: Blocked): readonly Blocked[] {
  const lanes = [4, 16].filter((lanesN) => {
    const threadsN = one.along === 'across' ? one.columns / one.line : one.columns / 8
    const threadsM = one.along === 'across' ? one.rows / 8 : one.rows / one.line
    return threadsN % lanesN === 0 && threadsM % (32 / lanesN) === 0
  })
  const bands = [2, 4].filter((band) => shape.m > band * one.rows)
  const steps = ['written', 'main', 'named'] as const
  return [
    one,
    ...BINDINGS.map((binding) => ({ ...one, binding })),
    { ...one, zOrder: false },
    ...bands.map((band) => ({ ...one, band })),
    ...lanes.map((lanesN) => ({ ...one, lanesN })),
    ...(['branch', 'beyond', 'peeled'] as const).flatMap((end) => [
      { ...one, end },
      ...steps.map((step) => ({ ...one, end, step })),
      { ...one, end, binding: 'uniform' as const },
    ]),
    ...steps.map((step) => ({ ...one, step })),
    ...steps.map((step) => ({ ...one, step, binding: 'uniform' as const })),
    { ...one, step: 'named', zOrder: false },
    { ...one, step: 'named', end: 'beyond', binding: 'literal' },
    ...bands.map((band) => ({ ...one, step: 'named' as const, end: 'beyond' as const, band })),
  ]
}

export function variantsFor(shape: GemmShape, sharedBytes: number, threads: number): readonly Variant[] {
  const { m, n, k } = shape
  if (m === 1)
    return [
      todayVector(shape, Math.min(128, threads / 8)),
      ...(['override', 'uniform', 'text'] as const).flatMap((binding) =>
        [128, 64, 32]
          .filter((slices) => 8 * slices <= threads)
          .map((slices) => vector(shape, 8, slices, slices === 32 ? 8 : 16, binding)),
      ),
      ...(threads >= 1024
        ? [vector(shape, 8, 128, 8, 'override'), vector(shape, 16, 64, 8, 'override')]
        : []),
      vector(shape, 16, 16, 4, 'override'),
    ]
  const area = m * n
  const list: Blocked[] = []
  if (area <= 64 * 64 && k > 65536) {
    for (const parts of [64, 128, 256, 512, 1024])
      list.push(
        { rows: 32, columns: 32, line: 8, along: 'across', slices: 16, depth: 8, lanesN: 4, parts },
        { ...SMALL, parts },
      )
  } else if (m <= 128) {
    list.push(...favourite(shape, WIDE))
    for (const parts of [4, 8, 32]) list.push({ ...WIDE, parts })
    for (const parts of [2, 4, 8]) list.push({ ...MIDDLE, parts }, { ...MIDDLE_DOWN, parts })
    list.push(
      { rows: 64, columns: 128, line: 16, along: 'across', slices: 1, parts: 8 },
      { ...MIDDLE, slices: 2, parts: 8 },
    )
    list.push(...CANDIDATES)
  } else {
    const [best, ...others] =
      area <= 600 * 600
        ? [
            SMALL,
            MIDDLE,
            MIDDLE_DOWN,
            { ...SMALL, slices: 4 },
            { ...MIDDLE_DOWN, slices: 2 },
            { ...MIDDLE, parts: 2 },
          ]
        : area <= 1100 * 1100
          ? [
              MIDDLE,
              ...favourite(shape, MIDDLE_DOWN),
              SMALL,
              LARGE,
              { ...MIDDLE, slices: 2 },
              { ...MIDDLE_DOWN, slices: 2 },
            ]
          : [
              LARGE,
              { ...LARGE, along: 'down' as const },
              MIDDLE,
              MIDDLE_DOWN,
              { ...LARGE, rows: 64, slices: 2 },
            ]
    if (shape.n % 4 !== 0 || k % 4 !== 0)
      for (const one of area <= 1100 * 1100 ? [MIDDLE, MIDDLE_DOWN] : [LARGE, MIDDLE])
        list.push(
          one,
          { ...one, zOrder: false },
          ...(['beyond', 'peeled'] as const).map((end) => ({ ...one, end })),
          { ...one, step: 'named' },
          { ...one, step: 'named', end: 'beyond' },
          { ...one, binding: 'uniform' },
        )
    else list.push(...favourite(shape, best), ...others)
  }
  const fits = list.filter(
    ({ rows, columns, slices, depth = 16, line }) =>
      (rows + columns) * depth * 4 * slices <= sharedBytes &&
      ((rows * columns) / (8 * line)) * slices <= threads,
  )
  const todays: readonly (readonly [number, number])[] =
    m <= 128 || area <= 600 * 600
      ? [
          [32, 4],
          [64, 4],
          [64, 2],
        ]
      : area <= 1100 * 1100
        ? [
            [64, 2],
            [64, 4],
          ]
        : [
            [128, 1],
            [64, 1],
          ]
  return [
    ...todays
      .filter(([side, slices]) => side * slices <= threads && side * slices * 128 <= sharedBytes)
      .map(([side, slices]) => today(shape, side, slices)),
    ...fits.map((one) => blocked(shape, one)),
  ]
}
