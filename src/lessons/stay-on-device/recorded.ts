/** Eight layers in PyTorch: how many times as long they take with `.cpu()` and `.to("cuda")` after each, by the size of a layer. */
import { medianIn, numberIn, pointsIn, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-stay-on-device.json'
/** The side of a layer whose factor stands beside the number; where it was not recorded, the largest below. */
const SHOWN_N = 2048

/** Repeats that differ by more than this factor are not one number. */
const APART = 1.5

const WAYS = ['residentMs', 'scalarBackMs', 'pageableMs', 'pinnedMs'] as const
interface Point extends Readonly<Record<(typeof WAYS)[number], number>> {
  readonly n: number
  readonly point: Json
}

/** From the smallest layer to the largest. */
const pointsOf = (json: Json | null): readonly Point[] =>
  pointsIn(json)
    .flatMap((point): Point[] => {
      const n = numberIn(point, 'n')
      const [residentMs, scalarBackMs, pageableMs, pinnedMs] = WAYS.map((way) => medianIn(point, way)?.value)
      if (n === null || !residentMs || !scalarBackMs || !pageableMs || !pinnedMs) return []
      return [{ n, point, residentMs, scalarBackMs, pageableMs, pinnedMs }]
    })
    .toSorted((a, b) => a.n - b.n)

export const stayOnDeviceRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'slowdown',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const point = pointsOf(recorded.json(FILE)).findLast(({ n }) => n <= SHOWN_N)
        if (!point) return null
        const { n, residentMs, scalarBackMs, pageableMs, pinnedMs } = point
        const times = (ms: number) => recorded.say(ms / residentMs, '×')
        const repeats = medianIn(point.point, 'pageableMs')
        const spread =
          repeats && repeats.high > APART * repeats.low
            ? ` From pageable memory the repeats differ, from ${times(repeats.low)} to ${times(repeats.high)}.`
            : ''
        return {
          value: pageableMs / residentMs,
          unit: '×',
          words: `in PyTorch: \`.to("cuda")\` and \`.cpu()\` round each layer of ${String(n)} × ${String(n)}. With pinned memory it is ${times(pinnedMs)}, with \`.mean().item()\` alone ${times(scalarBackMs)}.${spread}`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const points = pointsOf(recorded.json(FILE))
    const [small, large] = [points[0], points.at(-1)]
    if (!small || !large || small === large) return []
    const { say } = recorded
    const times = ({ residentMs }: Point, ms: number) => say(ms / residentMs, '×')
    const sentence = (point: Point) =>
      `At n = ${String(point.n)} the chain took ${say(point.residentMs, 'ms')} where results stayed; round trips made it ${times(point, point.pageableMs)} as long from pageable memory and ${times(point, point.pinnedMs)} from pinned memory, one number after each layer ${times(point, point.scalarBackMs)}.`
    return [`PyTorch’s recording has the same chain over sizes. ${sentence(small)} ${sentence(large)}`]
  },
}
