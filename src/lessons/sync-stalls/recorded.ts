/** `.item()` after each step in PyTorch: how busy the device was, how much longer a step took, and from which kernel length on it stops hurting. */
import { crossing } from '../../base/crossover'
import type { Prose } from '../../experiments/declare/quote'
import type { Metric } from '../../trace/report'
import { numberIn, pointsIn, type Json, type Recorded, type RecordedSide } from '../recorded'

const STALLED = 'torch-sync-stalls-stalled.json.gz'
const MENDED = 'torch-sync-stalls-mended.json.gz'
const CURVE = 'torch-sync-stalls-curve.json'
/** The lesson's step that measures the same curve here. */
const CURVE_STEP = 'curve'

/** A kernel with a read after it, and how long the device then idles. */
interface Point {
  readonly kernelMs: number
  readonly idleMs: number
}

const pointsOf = (json: Json | null): readonly Point[] =>
  pointsIn(json).flatMap((point) => {
    const [kernelMs, idleMs] = [numberIn(point, 'kernelMs'), numberIn(point, 'idleMs')]
    return kernelMs === null || idleMs === null ? [] : [{ kernelMs, idleMs }]
  })

/** Of the curve's variants, 'every-step@0.5'. */
const pointsOfRun = (metrics: readonly Metric[]): readonly Point[] =>
  metrics
    .filter(({ name, variant, value }) => name === 'kernel-ms' && variant.includes('@') && value !== null)
    .flatMap(({ variant, value }) => {
      const idle = metrics.find((each) => each.name === 'idle-per-stall-ms' && each.variant === variant)
      return value === null || idle?.value == null ? [] : [{ kernelMs: value, idleMs: idle.value }]
    })

/** Kernel length from which on the device computes for at least `share` of the time, ms; 0: at every length, Infinity: not at the longest. */
function lengthForShare(points: readonly Point[], share: number): number {
  const sorted = points.filter(({ kernelMs }) => kernelMs > 0).toSorted((a, b) => a.kernelMs - b.kernelMs)
  // Idle time is a difference of two measurements: it can come out at or below none.
  const leads = sorted.map(({ kernelMs, idleMs }) =>
    idleMs <= 0 ? Infinity : Math.log(((1 - share) * kernelMs) / (share * idleMs)),
  )
  return crossing(
    sorted.map(({ kernelMs }) => kernelMs),
    leads,
  )
}

const SHARES = [
  [0.5, 'half of the time'],
  [0.9, '90 % of the time'],
] as const

/** 'half of the time from 0.3 ms on and 90 % of it from 2.6 ms on' */
function inWords(points: readonly Point[], say: Recorded['say']): string {
  const lengths = points.map(({ kernelMs }) => kernelMs)
  const ms = (value: number) => say(value, 'ms')
  return SHARES.map(([share, words]) => {
    const from = lengthForShare(points, share)
    if (from === 0)
      return `at least ${words} even with kernels of ${ms(Math.min(...lengths))}, the shortest measured`
    if (from === Infinity)
      return `less than ${words} even with kernels of ${ms(Math.max(...lengths))}, the longest measured`
    return `${words} from ${ms(from)} on`
  }).join(', and ')
}

function besideHeadline(recorded: Recorded, own: (step: string) => readonly Metric[] | null): Prose {
  const pytorch = pointsOf(recorded.json(CURVE))
  if (pytorch.length < 2) return []
  const mine = pointsOfRun(own(CURVE_STEP) ?? [])
  const here =
    mine.length < 2
      ? 'The step *Draw the whole curve* measures where that is on your device.'
      : `In your own curve the device computed ${inWords(mine, recorded.say)}.`
  return [
    `Whether \`.item()\` hurts depends on how long your kernels are. In PyTorch, with \`.item()\` after each kernel, the GPU computed ${inWords(pytorch, recorded.say)}. ${here}`,
  ]
}

export const syncStallsRecorded: RecordedSide = {
  files: [STALLED, MENDED, CURVE],
  headlines: [
    {
      metric: 'device-busy-ratio',
      file: STALLED,
      sameScale: true,
      figure: (recorded) => {
        const { kernelRatio = null, kernelMs = null } = recorded.profile(STALLED) ?? {}
        if (kernelRatio === null || kernelMs === null) return null
        return {
          value: kernelRatio,
          unit: 'ratio',
          words: `in PyTorch: the same loop with \`.item()\`, kernels of ${recorded.say(kernelMs, 'ms')}.`,
        }
      },
    },
    {
      metric: 'slowdown',
      file: STALLED,
      sameScale: true,
      figure: (recorded) => {
        const [stalled, mended] = [STALLED, MENDED].map((file) => recorded.profile(file)?.stepMs ?? null)
        if (stalled == null || mended == null || mended <= 0) return null
        return {
          value: stalled / mended,
          unit: '×',
          words: `in PyTorch: the same loop with \`.item()\`, ${recorded.say(stalled, 'ms')} a step.`,
        }
      },
    },
  ],
  beside: besideHeadline,
}
