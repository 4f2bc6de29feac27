/** From which size on the GPU wins in PyTorch, from host memory and back: where the script's two curves cross. */
import { findCrossover, type Bounded, type Timed } from '../../base/crossover'
import { medianIn, numberIn, pointsIn, type Json, type Recorded, type RecordedSide } from '../recorded'

const FILE = 'torch-worth-it.json'
type Way = 'cpuMs' | 'pageableMs' | 'pinnedMs' | 'residentMs'

function curveOf(json: Json, uses: number, way: Way): readonly Timed[] {
  return pointsIn(json)
    .flatMap((point): Timed[] => {
      const [n, time] = [numberIn(point, 'n'), medianIn(point, way)]
      return numberIn(point, 'uses') === uses && n !== null && time ? [{ n, ...time }] : []
    })
    .toSorted((a, b) => a.n - b.n)
}

const crossoverOf = (json: Json, uses: number, way: Way): Bounded | null =>
  findCrossover(curveOf(json, uses, 'cpuMs'), curveOf(json, uses, way))

const isWithin = (found: Bounded | null): found is Bounded =>
  found !== null && found.value > 0 && found.value < Infinity

/** 'from n = 380 on (340 to 420)'; in words where the curves do not cross. */
function sizeInWords(json: Json, uses: number, way: Way, say: Recorded['say']): string | null {
  const found = crossoverOf(json, uses, way)
  const sizes = curveOf(json, uses, way).map(({ n }) => n)
  if (!found) return null
  if (found.value === 0) return `at every n from ${String(Math.min(...sizes))} on`
  if (found.value === Infinity)
    return `at no n up to ${String(Math.max(...sizes))}${found.low < Infinity ? ' by more than the repeats differ' : ''}`
  const n = (value: number) => say(value, 'count')
  const isBounded = found.low > 0 && found.high < Infinity
  return `from n = ${n(found.value)} on${isBounded ? ` (${n(found.low)} to ${n(found.high)})` : ''}`
}

const NAMES = { pageableMs: 'pageable', pinnedMs: 'pinned' } as const

export const worthItRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'crossover-n',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const json = recorded.json(FILE)
        if (!json) return null
        // Most programs copy from pageable memory; where that never pays there is no n, and pinned memory is what to look at.
        const ways = ['pageableMs', 'pinnedMs'] as const
        const shown = ways.find((way) => isWithin(crossoverOf(json, 1, way)))
        const value = shown && crossoverOf(json, 1, shown)?.value
        if (!shown || value === undefined) return null
        const other = shown === 'pageableMs' ? 'pinnedMs' : 'pageableMs'
        const size = sizeInWords(json, 1, other, recorded.say)
        const also = size === null ? '' : ` With ${NAMES[other]} memory it wins ${size}.`
        return {
          value,
          unit: 'count',
          words: `is the n from which the GPU wins in PyTorch, with ${NAMES[shown]} memory.${also}`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(FILE)
    if (!json) return []
    const wins = (uses: number, way: Way) => sizeInWords(json, uses, way, recorded.say)
    const [pageable, pinned, resident] = [wins(1, 'pageableMs'), wins(1, 'pinnedMs'), wins(1, 'residentMs')]
    const [reused, reusedPinned] = [wins(16, 'pageableMs'), wins(16, 'pinnedMs')]
    if (pageable === null || pinned === null) return []
    const threads = numberIn(json, 'threads')
    return [
      [
        `In PyTorch’s recording, with the transfers there and back, the GPU wins ${pageable} with pageable memory and ${pinned} with pinned memory.`,
        reused === null || reusedPinned === null
          ? ''
          : `With sixteen products on each upload it wins ${reused} with pageable memory and ${reusedPinned} with pinned memory.`,
        resident === null ? '' : `For matrices that stay on the GPU it wins ${resident}.`,
        threads === null ? '' : `The CPU multiplied with ${String(threads)} threads.`,
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    ]
  },
}
