/** Pageable and pinned memory in PyTorch, the cost of pinning, managed memory, and the caching allocator with holes in it. */
import { fieldOf, medianIn, numberIn, pointsIn, type Recorded, type RecordedSide } from '../recorded'

const FILE = 'torch-staging-buffers.json'
/** The batch whose factor stands beside the number; where it was not recorded, the largest below. */
const SHOWN_MIB = 64

/** Its figures of this part in ms, or null where one of them is not there. */
function timesIn<Name extends string>(part: unknown, names: readonly Name[]): Record<Name, number> | null {
  const times = names.flatMap((name) => medianIn(part, name)?.value ?? [])
  return times.length === names.length && times.every((each) => each > 0)
    ? (Object.fromEntries(names.map((name, at) => [name, times[at]])) as Record<Name, number>) // as many as names
    : null
}

function pointOf({ json }: Recorded) {
  const [point] = pointsIn(json(FILE))
    .flatMap((each) => {
      const mib = numberIn(each, 'mib')
      const names = ['pageableMs', 'pinnedMs', 'pinAnewMs', 'ringMs', 'pinningMs'] as const
      const times = timesIn(each, names)
      return mib === null || mib > SHOWN_MIB || !times ? [] : [{ mib, ...times }]
    })
    .toSorted((a, b) => b.mib - a.mib)
  return point
}

function managed(recorded: Recorded): readonly string[] {
  const part = fieldOf(recorded.json(FILE), 'managed')
  const mib = numberIn(part, 'mib')
  const names = [
    'firstTouchMs',
    'secondTouchMs',
    'faultsMs',
    'residentMs',
    'prefetchMs',
    'prefetchedMs',
  ] as const
  const times = timesIn(part, names)
  if (mib === null || !times) return []
  const ms = (name: (typeof names)[number]) => recorded.say(times[name], 'ms')
  return [
    `Of ${String(mib)} MiB of managed memory, the first touch by the host took ${ms('firstTouchMs')} and the second ${ms('secondTouchMs')}. A kernel that read them from there took ${ms('faultsMs')}, and ${ms('residentMs')} when they had come to the GPU. Prefetched, which took ${ms('prefetchMs')}, it was ${ms('prefetchedMs')}.`,
  ]
}

function allocator({ json }: Recorded): readonly string[] {
  const part = fieldOf(json(FILE), 'allocator')
  const names = ['freeMiB', 'largestFreeMiB', 'askedMiB', 'reservedMiB'] as const
  const [free, largest, asked, reserved] = names.map((name) => numberIn(part, name))
  if (fieldOf(part, 'failed') !== true || !free || !largest || !asked || !reserved) return []
  const joined = fieldOf(part, 'expandableFailed') === false
  return [
    `In the recording the caching allocator held ${String(reserved)} MiB, of which ${String(free)} MiB were free, in holes of at most ${String(largest)} MiB. It could not give ${String(asked)} MiB out of them, and the request failed.${joined ? ' With `expandable_segments:True` the same request succeeded.' : ''}`,
  ]
}

export const stagingBuffersRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'speedup',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const point = pointOf(recorded)
        if (!point) return null
        const { mib, pageableMs, ringMs, pinnedMs } = point
        return {
          value: pageableMs / ringMs,
          unit: '×',
          words: `in PyTorch: two pinned buffers, filled in turn, over \`.to("cuda")\` from pageable memory, for batches of ${String(mib)} MiB. With the batches in pinned memory from the start it is ${recorded.say(pageableMs / pinnedMs, '×')}.`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const point = pointOf(recorded)
    const { say } = recorded
    return [
      ...(point
        ? [
            `In the recording of PyTorch a batch of ${String(point.mib)} MiB took ${say(point.pageableMs, 'ms')} from pageable memory and ${say(point.pinnedMs, 'ms')} from pinned memory. Pinning so much took ${say(point.pinningMs, 'ms')} by itself. Through memory that was pinned anew for each batch it took ${say(point.pinAnewMs, 'ms')}, and ${say(point.ringMs, 'ms')} through a ring of two.`,
          ]
        : []),
      ...managed(recorded),
      ...allocator(recorded),
    ]
  },
}
