/**
 * Gains that headers of shaders/ name: each is the ratio of two rows of the kept sweep, and none is
 * named that no row holds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, it } from 'vitest'

/** They have no shape in common. */
const KEPT = ['2026-11-24-evening', '2026-11-28'].map((day) => `bench/results/sweep-h200-${day}.json`)
const sweepSchema = v.object({
  results: v.array(
    v.object({
      shape: v.object({ m: v.number(), n: v.number(), k: v.number() }),
      rows: v.optional(v.array(v.object({ name: v.string(), tflops: v.optional(v.number()) })), []),
    }),
  ),
})

const SMALL = '32×64×16, 8×8, slices 8, lanes 4×8, band 1'
const MIDDLE = '64×128×16, 8×16, slices 4, lanes 4×8, band 1'
const LARGE = '128×128×16, 8×16, slices 1, lanes 4×8, band 1'
const WIDE = '64×256×16, 8×16, slices 1, lanes 4×8, band 1, parts 16'
const ODD = '4095×4095×63'
const ODD_LARGE = '128×128×16, 8×16, slices 1, lanes 4×8'
const VECTOR = 'vector 8 fours × 128 slices, sums by 16'

type Pair = readonly [row: string, over: string]
const override = (tile: string, over: string): Pair => [`${tile}, override`, over]
const known = (tile: string) => override(tile, `${tile}, uniform`)
const fewer = (tile: string, from: string, to: string) =>
  override(tile, `${tile.replace(from, to)}, override`)

/** By file, by what the gain is of, and by shape. */
const GAINS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Pair>>>>>> = {
  'lib/shape-known.wgsl': {
    'a shape that is known': {
      '512×512×512': known(SMALL),
      '1000×1000×1000': known(MIDDLE),
      '4096×4096×4096': known(LARGE),
      '64×4096×4096': known(WIDE),
      '1×4096×4096': known(VECTOR),
    },
  },
  'lib/one-slice.wgsl': {
    'whole rows': { [ODD]: [`${ODD_LARGE}, override`, `${ODD_LARGE}, override, scattered`] },
  },
  // Lanes in Z-order were what the kernel had.
  'lib/b-one-by-one.wgsl': {
    'that over Z-order': { [ODD]: [`${ODD_LARGE}, override, plain`, `${ODD_LARGE}, override`] },
  },
  'lib/several-slices.wgsl': {
    'twice the slices': {
      '512×512×512': fewer(SMALL, 'slices 8', 'slices 4'),
      '1000×1000×1000': fewer(MIDDLE, 'slices 4', 'slices 2'),
      '1024×1024×1024': fewer(MIDDLE, 'slices 4', 'slices 2'),
    },
  },
  'matmul/specialised.wgsl': {
    'all of it over pipelined': {
      '512×512×512': override(SMALL, 'today: pipelined 32, slices 4'),
      '1000×1000×1000': override(MIDDLE, 'today: pipelined 64, slices 2'),
      '1024×1024×1024': override(MIDDLE, 'today: pipelined 64, slices 2'),
    },
    'lanes in Z-order': {
      '512×512×512': fewer(SMALL, 'lanes 4×8', 'lanes 4×8 plain'),
      '1000×1000×1000': fewer(MIDDLE, 'lanes 4×8', 'lanes 4×8 plain'),
      '1024×1024×1024': fewer(MIDDLE, 'lanes 4×8', 'lanes 4×8 plain'),
      '8192×8192×8192': fewer(LARGE, 'lanes 4×8', 'lanes 4×8 plain'),
    },
  },
  'matmul/sum-parts.wgsl': {
    '16 parts over the best without': { '64×4096×4096': override(WIDE, `${SMALL}, override`) },
  },
  'matmul/vector-matrix.wgsl': {
    'all of it over the kernel before it': {
      '1×4096×4096': override(VECTOR, 'today: row-vector, slices 128'),
    },
  },
}

const results = KEPT.flatMap((file) => v.parse(sweepSchema, JSON.parse(readFileSync(file, 'utf8'))).results)
const rates = new Map(
  results.map(({ shape: { m, n, k }, rows }) => [
    [m, n, k].join('×'),
    new Map(rows.map(({ name, tflops }) => [name, tflops])),
  ]),
)

function gainAt([shape, [row, over]]: readonly [string, Pair]): string {
  const [rate, other] = [row, over].map((name) => rates.get(shape)?.get(name))
  if (rate === undefined || other === undefined)
    throw new Error(`${KEPT.join(' and ')} have no rate of ${row} or ${over}`)
  return `${(rate / other).toFixed(2)} at ${shape}`
}

/** 'Gain of WHAT, H200: 1.05 at 1000×1000×1000, ….' */
const readGains = (code: string) =>
  [...code.matchAll(/^\/\/ Gain of (.+?), H200: (.+)\.$/gm)].map(([, of = '', gains = '']) => [of, gains])

it('a gain in the header of a shader is what was measured', () => {
  const files = readdirSync('shaders', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.wgsl'),
  )
  const said = files.map((file) => [file, readGains(readFileSync(`shaders/${file}`, 'utf8'))])
  const measured = files.map((file) => [
    file,
    Object.entries(GAINS[file] ?? {}).map(([of, pairs]) => [
      of,
      Object.entries(pairs).map(gainAt).join(', '),
    ]),
  ])
  expect(said).toEqual(measured)
})
