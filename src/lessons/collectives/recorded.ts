/** All-reduces of NCCL on GPUs and of Gloo on the CPU, over sizes: what a small one takes, and which rate a large one reaches. */
import { fieldOf, isJson, medianIn, numberIn, pointsIn, type Json, type RecordedSide } from '../recorded'

const NCCL = 'torch-nccl-collectives.json'
const FOUR = 'torch-nccl-four.json'
const GLOO = 'torch-gloo-collectives.json'
const KIB = 1024
/** The sizes that are quoted: 1 KiB and 64 MiB, where they were recorded. */
const SMALL = KIB
const LARGE = 64 * KIB * KIB

interface Point {
  readonly bytes: number
  readonly ms: number
  readonly busGBs: number
}

const allReduces = (points: readonly Json[], clock: 'deviceMs' | 'hostMs'): readonly Point[] =>
  points
    .filter(({ operation }) => operation === 'all_reduce')
    .flatMap((point): Point[] => {
      const [bytes, busGBs] = [numberIn(point, 'bytes'), numberIn(point, 'busGBs')]
      const ms = medianIn(point, clock)?.value
      return bytes !== null && busGBs !== null && ms ? [{ bytes, ms, busGBs }] : []
    })
const at = (points: readonly Point[], bytes: number) => points.find((point) => point.bytes === bytes)

/** Worlds of Gloo, by their number of ranks. */
const worldsIn = (
  json: Json | null,
): readonly { readonly ranks: number; readonly points: readonly Point[] }[] => {
  const worlds = fieldOf(json, 'worlds')
  if (!Array.isArray(worlds)) return []
  return (worlds as readonly unknown[]).filter(isJson).flatMap((world) => {
    const ranks = numberIn(world, 'ranks')
    return ranks === null ? [] : [{ ranks, points: allReduces(pointsIn(world), 'hostMs') }]
  })
}

export const collectivesRecorded: RecordedSide = {
  files: [NCCL, FOUR, GLOO],
  headlines: [
    {
      metric: 'crossover-kib',
      file: NCCL,
      sameScale: false,
      figure: (recorded) => {
        const json = recorded.json(NCCL)
        const points = allReduces(pointsIn(json), 'deviceMs')
        const [small, large] = [at(points, SMALL), at(points, LARGE)]
        const ranks = numberIn(json, 'ranks')
        if (!small || !large || ranks === null) return null
        return {
          value: large.busGBs,
          unit: 'GB/s',
          words: `in PyTorch: the bus bandwidth of NCCL’s all-reduce of 64 MiB on ${String(ranks)} GPUs, which took ${recorded.say(large.ms, 'ms')}. Of 1 KiB it took ${recorded.say(small.ms * 1e3, 'us')}.`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const nccl = allReduces(pointsIn(recorded.json(NCCL)), 'deviceMs')
    const [first, last] = [nccl[0], nccl.at(-1)]
    const { say } = recorded
    const flat = first && nccl.findLast(({ ms }) => ms < 1.25 * first.ms)
    const sizeOf = (bytes: number) =>
      bytes < KIB * KIB ? `${String(bytes / KIB)} KiB` : `${String(bytes / KIB / KIB)} MiB`
    const gloo = worldsIn(recorded.json(GLOO)).flatMap(({ ranks, points }) => {
      const [small, large] = [at(points, SMALL), at(points, LARGE)]
      return small && large
        ? [`on ${String(ranks)} ranks ${say(small.ms, 'ms')} for 1 KiB and ${say(large.ms, 'ms')} for 64 MiB`]
        : []
    })
    const four = recorded.json(FOUR)
    const [onFour] = allReduces(pointsIn(four), 'deviceMs')
    const gpus = numberIn(four, 'ranks')
    return [
      ...(first && last && flat && first !== last
        ? [
            `In the recording NCCL’s all-reduce took ${say(first.ms * 1e3, 'us')} for ${sizeOf(first.bytes)}, and for up to ${sizeOf(flat.bytes)} hardly more: there it is all α. ${sizeOf(last.bytes)} took ${say(last.ms, 'ms')}, a bus bandwidth of ${say(last.busGBs, 'GB/s')}.`,
          ]
        : []),
      ...(onFour && gpus !== null
        ? [
            `On ${String(gpus)} GPUs of another machine its all-reduce of ${sizeOf(onFour.bytes)} took ${say(onFour.ms, 'ms')}, a bus bandwidth of ${say(onFour.busGBs, 'GB/s')}.`,
          ]
        : []),
      ...(gloo.length > 0 ? [`Gloo’s, between processes of one machine, took ${gloo.join(', ')}.`] : []),
    ]
  },
}
