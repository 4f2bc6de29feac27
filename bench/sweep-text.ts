/** Changes to the text of shaders/matmul/specialised.wgsl and vector-matrix.wgsl that the sweep compares: what each of its ideas gives. */

const WRITTEN = `    multiply_eight(&sums, 0, place, slice);
    if (TILE_K > 8) {
      multiply_eight(&sums, 8, place, slice);
    }
`

/** Texts that compute the same, each without one thing that the kernel has, or with one that it has not. */
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
  /** The steps of k in a tile in a loop, or eight written out: the kernel writes out all. */
  looped: [
    [
      WRITTEN,
      '    for (var k = 0u; k < TILE_K; k += 1) {\n      multiply_step(&sums, k, place, slice);\n    }\n',
    ],
  ],
  eights: [
    [
      WRITTEN,
      '    for (var k = 0u; k < TILE_K; k += 8) {\n      multiply_eight(&sums, k, place, slice);\n    }\n',
    ],
  ],
  /** Where a thread begins in B as one sum, divided. */
  summed: [['corner.x / B_UNIT + b_four', '(corner.x + B_UNIT * b_four) / B_UNIT']],
  /** The lanes of a warp row by row; and in Z-order, where rows of C begin anywhere. */
  plain: [['const Z_ORDER = true;', 'const Z_ORDER = false;']],
  zOrder: [['const Z_ORDER = false;', 'const Z_ORDER = true;']],
  /** Rows of C that begin anywhere, stored as the threads have them. */
  scattered: [['if (B_UNIT == 1 && ALONG_ROWS', 'if (false && B_UNIT == 1 && ALONG_ROWS']],
  /** Of the kernel for few rows: eight reads of B in a step of its loop, where it has four. */
  twice: [
    ['override DEPTH: u32 = 4 * SLICES;', 'override DEPTH: u32 = 8 * SLICES;'],
    [
      '    sum += along.w * load_b(b_at + 3 * b_row);\n',
      `    sum += along.w * load_b(b_at + 3 * b_row);
    let further = load_a(a_at + 4 * SLICES / A_UNIT);
    let b_further = b_at + 4 * SLICES * b_row;
    sum += further.x * load_b(b_further);
    sum += further.y * load_b(b_further + b_row);
    sum += further.z * load_b(b_further + 2 * b_row);
    sum += further.w * load_b(b_further + 3 * b_row);
`,
    ],
  ],
  /** Workgroups in bands of 2 and 4 rows. */
  band2: bands(2),
  band4: bands(4),
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

export function replaceOnce(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The WGSL has no '${from}'.`)
  return code.replace(from, to)
}
