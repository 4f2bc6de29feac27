/** Changes to the text of shaders/matmul/specialised.wgsl that the sweep compares: what a person would not write, or was slower. */
/** After the last tiles: what lies behind them is fetched, for nothing, the last again, or the loop ends a step early. */
export type End = 'beyond' | 'again' | 'peeled'
/** How a step of k is written: in functions and loops, or in main with a variable for each vector. */
export type StepText = 'loop' | 'named'

/** Texts that compute the same, each with the form of one thing that the kernel does not have: what the compiler makes of them differs. */
const FORMS = {
  /** The loop's end is no constant: the compiler counts its rounds, to end it. */
  counted: [
    ['step < MOST_STEPS;', 'step < count;'],
    ['    if (!STEPS_KNOWN && step >= count) {\n      break;\n    }\n', ''],
  ],
  /** Indices of workgroup memory that the compiler cannot prove: it clamps them. */
  clamped: [
    [' % SLICES]', ']'],
    ['[k % TILE_K]', '[k]'],
    ['[place.y % THREADS_SHORT]', '[place.y]'],
    ['let at = place % THREADS_LONG;', 'let at = place;'],
    [' % SHORT_4]', ']'],
    [' % LINE_4]', ']'],
  ],
  /** Where a thread begins in B as one sum, divided. */
  summed: [['corner.x / B_UNIT + b_four', '(corner.x + B_UNIT * b_four) / B_UNIT']],
  /** Workgroups in bands of 1, 2 and 4 rows. */
  band1: bands(1),
  band2: bands(2),
  band4: bands(4),
  /** Addresses worked out from the step, not carried along. */
  computed: [
    ['  var a_at = ', '  let a_start = '],
    ['  var b_at = ', '  let b_start = '],
    ['let at = a_at +', 'let at = a_start +'],
    ['load_b(b_at + i * B_ROWS * b_row), is_whole', 'load_b(b_start + i * B_ROWS * b_row), is_whole'],
    [
      'a_at += DEPTH / A_UNIT;',
      'let ahead = min(step + 1, count - 1);\n    let a_at = a_start + ahead * (DEPTH / A_UNIT);',
    ],
    ['b_at += DEPTH * b_row;', 'let b_at = b_start + ahead * (DEPTH * b_row);'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>
export type Form = keyof typeof FORMS

function bands(band: number) {
  const at = `vec2u(inside / height * COLUMNS, (top + inside % height) * ROWS)`
  return [
    [
      '  let corner = workgroup.xy * vec2u(COLUMNS, ROWS);\n',
      `  let across = (size_n() + COLUMNS - 1) / COLUMNS;
  let down = (size_m() + ROWS - 1) / ROWS;
  let number = workgroup.y * across + workgroup.x;
  let top = number / (${String(band)} * across) * ${String(band)};
  let height = min(${String(band)}, down - top);
  let inside = number - top * across;
  let corner = ${at};
`,
    ],
  ] as const
}

/** Of a module: its shared files have some of what is replaced. */
export const withForm = (code: string, form: Form): string =>
  FORMS[form].reduce<string>((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The WGSL has no '${from}'.`)
    return text.replaceAll(from, to)
  }, code)

/** When the next tiles are fetched: before the first eight steps of k are multiplied, between the eights, or A before and B between. */
export type Fetch = 'before' | 'between' | 'split'

export function replaceOnce(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The WGSL has no '${from}'.`)
  return code.replace(from, to)
}

const between = (code: string, from: string, to: string): string => {
  const start = code.indexOf(from)
  const until = code.indexOf(to, start)
  if (start < 0 || until < 0) throw new Error(`The WGSL has no '${from}' before '${to}'.`)
  return code.slice(start, until)
}

/** What fetches the next tiles: the addresses and A, and B. */
const fetchOf = (kernel: string): readonly [a: string, b: string] => {
  const loop = '    for (var i = 0u; i < B_EACH; i += 1u) {\n      next_b[i] = load_b'
  return [
    between(kernel, '    a_at += DEPTH', loop),
    `${between(kernel, loop, '    }\n    multiply_eight(&sums, 0')}    }\n`,
  ]
}

function withFetch(kernel: string, fetch: Fetch): string {
  if (fetch === 'before') return kernel
  const first = '    multiply_eight(&sums, 0, place, slice);\n'
  const [a, b] = fetchOf(kernel)
  const late = fetch === 'split' ? b : `${a}${b}`
  return replaceOnce(replaceOnce(kernel, late, ''), first, `${first}${late}`)
}

/** `kernel` as it stands in its file. */
export function withEnd(kernel: string, end: End, fetch: Fetch): string {
  const fetching = withFetch(kernel, fetch)
  if (end === 'beyond') return fetching
  if (end === 'again')
    return fetching.replaceAll(/([ab]_at \+= )(DEPTH .*);/g, '$1select(0, $2, step + 1 < count);')
  const share = between(kernel, '    if (A_BLOCKS >= THREADS ||', '    // On their way')
  const multiply = between(kernel, '    multiply_', '  // The sums are complete.')
  return fetching
    .replace('for (var step = 0u; step < MOST_STEPS;', 'for (var step = 1u; step < MOST_STEPS;')
    .replace('  // The sums are complete.', `  {\n${share}${multiply}\n  // The sums are complete.`)
}

/** The product of two tiles, as text that a person would not write. */
export function withStep(kernel: string, step: StepText, line: 8 | 16, depth: 8 | 16): string {
  const parts = ['x', 'y', 'z', 'w']
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  const vectors = line / 4
  if (step === 'loop') return kernel
  const multiply = between(
    kernel,
    '    multiply_eight(&sums, 0',
    '    workgroupBarrier(); // everyone has read them: the next may',
  )
  const lines = range(depth).map((k) => {
    const read = range(vectors).map(
      (at) =>
        `let l_${String(at)} = sh_long[slice % SLICES][${String(k)}][${String(at)}][place.x % THREADS_LONG];`,
    )
    const sums = range(2).flatMap((four) => [
      `let f_${String(four)} = sh_short[slice % SLICES][${String(k)}][${String(four)}][place.y % THREADS_SHORT];`,
      ...parts.flatMap((part, at) =>
        range(vectors).map((vector) => {
          const row = String(4 * four + at)
          const sum = `s_${row}_${String(vector)}`
          return `${sum} = fma(vec4f(f_${String(four)}.${part}), l_${String(vector)}, ${sum});`
        }),
      ),
    ])
    return `    { ${[...read, ...sums].join(' ')} }\n`
  })
  const changed = kernel.replaceAll(multiply, lines.join(''))
  const names = range(8).map((row) => range(vectors).map((at) => `s_${String(row)}_${String(at)}`))
  const declared = names.flat().map((name) => `  var ${name}: vec4f;`)
  const joined = names.map((row, at) => `  sums[${String(at)}] = Line(${row.join(', ')});`)
  return changed
    .replace('  var sums: Sums;', `${declared.join('\n')}\n  var sums: Sums;`)
    .replace('  // The sums are complete.', `${joined.join('\n')}\n  // The sums are complete.`)
}
