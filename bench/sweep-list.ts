/** What `npm run bench -- sweep` tries at a shape. */
import type { GemmShape } from './matmul-shapes'
import type { Form } from './sweep-text'
import { blocked, today, vector, type Binding, type Blocked, type Variant } from './sweep-variants'

const LARGE: Blocked = { rows: 128, columns: 128, line: 16, along: 'across', slices: 1 }
const MIDDLE: Blocked = { rows: 64, columns: 128, line: 16, along: 'across', slices: 4 }
const MIDDLE_DOWN: Blocked = { ...MIDDLE, along: 'down' }
const SMALL: Blocked = { rows: 32, columns: 64, line: 8, along: 'across', slices: 8 }
const WIDE: Blocked = { rows: 64, columns: 256, line: 16, along: 'across', slices: 1, parts: 16 }
const BINDINGS: readonly Binding[] = ['literal', 'uniform']
const CANDIDATES = [LARGE, MIDDLE, MIDDLE_DOWN, SMALL]

const FORMS: readonly (readonly Form[])[] = [
  ['counted'],
  ['clamped'],
  ['counted', 'clamped'],
  ['looped'],
  ['eights'],
  ['summed'],
  ['plain'],
]

/** One candidate, and with one thing changed at a time or two. */
function favourite(shape: GemmShape, one: Blocked): readonly Blocked[] {
  const bands = (['band2', 'band4'] as const).filter((_, at) => shape.m > 2 ** (at + 1) * one.rows)
  return [
    one,
    ...FORMS.map((forms) => ({ ...one, forms })),
    ...bands.map((band) => ({ ...one, forms: [band] })),
    ...BINDINGS.map((binding) => ({ ...one, binding })),
  ]
}

/** Where n or k is no multiple of 4. */
const formsOfOdd = ({ n }: GemmShape, { slices }: Blocked): readonly Form[] => [
  'eights',
  ...(n % 4 === 0 ? (['plain'] as const) : (['zOrder'] as const)),
  ...(n % 4 !== 0 && slices === 1 ? (['scattered'] as const) : []),
]

export function variantsFor(shape: GemmShape, sharedBytes: number, threads: number): readonly Variant[] {
  const { m, n, k } = shape
  if (m === 1)
    return [
      ...(['override', 'uniform', 'text'] as const).flatMap((binding) =>
        [128, 64, 32]
          .filter((slices) => 8 * slices <= threads)
          .map((slices) => vector(shape, 8, slices, slices === 32 ? 8 : 16, binding)),
      ),
      ...(threads >= 1024
        ? [vector(shape, 8, 128, 8, 'override'), vector(shape, 16, 64, 8, 'override')]
        : []),
      vector(shape, 16, 16, 4, 'override'),
      ...(
        [
          [4, 128, 16],
          [4, 64, 8],
          [2, 128, 16],
          [2, 256, 16],
        ] as const
      )
        .filter(([fours, slices]) => fours * slices <= threads)
        .map(([fours, slices, group]) => vector(shape, fours, slices, group, 'override')),
      ...(
        [
          [8, 128, 16],
          [8, 64, 16],
          [4, 128, 16],
        ] as const
      )
        .filter(([fours, slices]) => fours * slices <= threads)
        .map(([fours, slices, group]) => vector(shape, fours, slices, group, 'override', ['twice'])),
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
        list.push(one, ...formsOfOdd(shape, one).map((form) => ({ ...one, forms: [form] })), {
          ...one,
          binding: 'uniform' as const,
        })
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
