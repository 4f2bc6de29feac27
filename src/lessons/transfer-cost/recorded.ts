/** Transfers of PyTorch over the same sizes, from pageable and from pinned memory: rates, and what the link was. */
import { medianIn, numberIn, pointsIn, fieldOf, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-transfer-cost.json'
const GIGA = 1e9
/** The size whose rate the smallest is compared with, as in the lesson's question; where it was not recorded, the largest below. */
const LARGE_KIB = 65_536

interface Point {
  readonly kib: number
  readonly pageable: number
  readonly pinned: number
}
/** Times to the GPU in ms, the smallest size first. */
const pointsOf = (json: Json | null): readonly Point[] =>
  pointsIn(json)
    .flatMap((point): Point[] => {
      const kib = numberIn(point, 'kib')
      const [pageable, pinned] = ['pageableUp', 'pinnedUp'].map((way) => medianIn(point, way)?.value)
      return kib === null || !pageable || !pinned ? [] : [{ kib, pageable, pinned }]
    })
    .toSorted((a, b) => a.kib - b.kib)

const rateOf = (kib: number, ms: number): number => (kib * 1024) / (ms / 1e3) / GIGA

/** 'A PCI Express link of generation 5 with 16 lanes'; null where the machine did not say. */
function linkOf(json: Json | null): string | null {
  const [generation, lanes] = [numberIn(json, 'link', 'generation'), numberIn(json, 'link', 'lanes')]
  const isKnown = generation !== null && lanes !== null && fieldOf(json, 'link') !== undefined
  return isKnown ? `a PCI Express link of generation ${String(generation)} with ${String(lanes)} lanes` : null
}

export const transferCostRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'rate-ratio',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const points = pointsOf(recorded.json(FILE))
        const [small, large] = [points[0], points.findLast(({ kib }) => kib <= LARGE_KIB)]
        if (!small || !large || small === large) return null
        const share = (way: 'pageable' | 'pinned') =>
          rateOf(small.kib, small[way]) / rateOf(large.kib, large[way])
        return {
          value: share('pageable'),
          unit: 'ratio',
          words: `in PyTorch: \`.to("cuda")\` of ${String(small.kib)} KiB, which took ${recorded.say(small.pageable * 1e3, 'us')}. From pinned memory it is ${recorded.say(share('pinned'), 'ratio')} of a higher rate.`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(FILE)
    const points = pointsOf(json)
    const [small, large] = [points[0], points.at(-1)]
    if (!small || !large || small === large) return []
    const { say } = recorded
    const link = linkOf(json)
    const rates = (['pageable', 'pinned'] as const).map((way) => say(rateOf(large.kib, large[way]), 'GB/s'))
    return [
      [
        `In the recording of PyTorch ${String(large.kib / 1024)} MiB went up at ${rates[0] ?? ''} from pageable memory and at ${rates[1] ?? ''} from pinned memory.`,
        `${String(small.kib)} KiB took ${say(small.pageable * 1e3, 'us')} and ${say(small.pinned * 1e3, 'us')}.`,
        link === null ? '' : `The GPU was connected by ${link}.`,
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    ]
  },
}
