/** A tensor of random numbers in PyTorch: how many times as long it takes from the CPU as made on the GPU, by its size. */
import { grouped } from '../../base/figures'
import { medianIn, numberIn, pointsIn, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-tensor-residence.json'
/** The size whose factor stands beside the number: 16 MiB. Where it was not recorded, the largest below. */
const SHOWN_N = 2 ** 22

const WAYS = [
  'onDeviceMs',
  'pageableMs',
  'pinnedMs',
  'makeMs',
  'sendMs',
  'shapeMs',
  'dataMs',
  'printMs',
] as const
type Point = Readonly<Record<'n' | (typeof WAYS)[number], number>>

/** From the smallest tensor to the largest; a point without one of the ways says nothing. */
const pointsOf = (json: Json | null): readonly Point[] =>
  pointsIn(json)
    .flatMap((point): Point[] => {
      const n = numberIn(point, 'n')
      const times = WAYS.map((way) => medianIn(point, way)?.value ?? 0)
      if (n === null || !times.every((ms) => ms > 0)) return []
      const [
        onDeviceMs = 0,
        pageableMs = 0,
        pinnedMs = 0,
        makeMs = 0,
        sendMs = 0,
        shapeMs = 0,
        dataMs = 0,
        printMs = 0,
      ] = times
      return [{ n, onDeviceMs, pageableMs, pinnedMs, makeMs, sendMs, shapeMs, dataMs, printMs }]
    })
    .toSorted((a, b) => a.n - b.n)

export const tensorResidenceRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'slowdown',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const point = pointsOf(recorded.json(FILE)).findLast(({ n }) => n <= SHOWN_N)
        if (!point) return null
        const { n, onDeviceMs, pageableMs, pinnedMs, sendMs } = point
        const times = (ms: number) => recorded.say(ms / onDeviceMs, '×')
        return {
          value: pageableMs / onDeviceMs,
          unit: '×',
          words: `in PyTorch: \`randn(n).to("cuda")\` over \`randn(n, device="cuda")\`, for n = ${grouped(n)}. From pinned memory it is ${times(pinnedMs)}; sending alone, with the numbers at hand, ${times(sendMs)}.`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const points = pointsOf(recorded.json(FILE))
    const [small, large] = [points[0], points.at(-1)]
    if (!small || !large || small === large) return []
    const ms = (value: number) => recorded.say(value, 'ms')
    const sentence = (point: Point) =>
      `A tensor of ${grouped(point.n)} numbers took ${ms(point.onDeviceMs)} with \`device="cuda"\` and ${ms(point.pageableMs)} with \`.to("cuda")\`, of which the CPU needed ${ms(point.makeMs)} to make it.`
    return [
      `PyTorch’s recording has both over sizes. ${sentence(small)} ${sentence(large)}`,
      `Asked for its shape, the smaller one took ${ms(small.shapeMs)}; asked for one value, ${ms(small.dataMs)}; formatted as \`print(x)\` does, ${ms(small.printMs)}.`,
    ]
  },
}
