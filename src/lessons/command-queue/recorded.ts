/** Small kernels launched one by one, and the same as one CUDA graph, in PyTorch: what a launch costs there. */
import { medianIn, numberIn, pointsIn, type Json, type Recorded, type RecordedSide } from '../recorded'

const FILE = 'torch-command-queue.json'

/** A launch that takes so much of the time between two kernels leaves the device waiting for it. */
const SETS_PACE = 0.9

const us = (point: Json | undefined, name: string): number | null => medianIn(point, name)?.value ?? null

interface Pair {
  readonly n: number
  readonly eager: number
  readonly graph: number
  readonly point: Json
}
/** By width, the smallest first. */
const pairsOf = (json: Json | null): readonly Pair[] =>
  pointsIn(json)
    .flatMap((point) => {
      const [n, eager, graph] = [numberIn(point, 'n'), us(point, 'eagerUs'), us(point, 'graphUs')]
      return n === null || eager === null || graph === null || graph <= 0 ? [] : [{ n, eager, graph, point }]
    })
    .toSorted((a, b) => a.n - b.n)

/** The first width at which a graph saves less than a tenth. */
const alikeFrom = (pairs: readonly Pair[]): Pair | undefined =>
  pairs.find((_, index) => pairs.slice(index).every(({ eager, graph }) => eager / graph < 1.1))

function sentences(recorded: Recorded): readonly string[] {
  const pairs = pairsOf(recorded.json(FILE))
  const [small] = pairs
  if (!small) return []
  const say = (value: number) => recorded.say(value, 'us')
  const [launch, replay, kernel] = ['launchUs', 'replayUs', 'kernelUs'].map((name) => us(small.point, name))
  const alike = alikeFrom(pairs)
  return [
    `In the recording of PyTorch a product of n = ${String(small.n)} began every ${say(small.eager)} where each was launched by itself, and every ${say(small.graph)} in a CUDA graph.`,
    launch == null || replay == null
      ? ''
      : `A launch took the host ${say(launch)}${launch >= SETS_PACE * small.eager ? ', so the host set the pace' : ''}; in a graph it is ${say(replay)} for each kernel.`,
    kernel == null ? '' : `The kernel itself took ${say(kernel)}.`,
    alike === undefined
      ? ''
      : `From n = ${String(alike.n)} on, of the widths that were recorded, the graph saved less than a tenth.`,
  ].filter((sentence) => sentence !== '')
}

const headline = (metric: string): RecordedSide['headlines'][number] => ({
  metric,
  file: FILE,
  sameScale: true,
  figure: (recorded) => {
    const [small] = pairsOf(recorded.json(FILE))
    if (!small) return null
    return {
      value: small.eager / small.graph,
      unit: '×',
      words: `as long in PyTorch: a launch for each kernel, against one launch of a CUDA graph. A kernel began every ${recorded.say(small.eager, 'us')} instead of every ${recorded.say(small.graph, 'us')}.`,
    }
  },
})

export const commandQueueRecorded: RecordedSide = {
  files: [FILE],
  headlines: [headline('device-slowdown'), headline('slowdown')],
  carriesOver: (recorded) => {
    const words = sentences(recorded)
    return words.length > 0 ? [words.join(' ')] : []
  },
}
