/**
 * Profiles of made-up ranks, as torch.profiler writes them: steps of a kernel and some collectives,
 * in which every rank waits for the last. Each file has a clock of its own. True times in µs. Test
 * code only.
 */
import { KinetoFile } from '../../../trace/formats/import/testing/kineto-file'
import { opened } from '../../../trace/formats/import/testing/read-back'
import type { RankInput } from '../types'

export interface MadeUpCollective {
  readonly operation: string
  readonly elements: number
}

export interface MadeUp {
  readonly ranks: number
  /** Kernel of each step, µs, the same on all ranks. */
  readonly stepsUs: readonly number[]
  readonly collectives: readonly MadeUpCollective[]
  /** From all being there to the end, µs. */
  readonly transferUs: number
  /** How much longer a rank's kernel is in a step. */
  readonly laterUs: (rank: number, step: number) => number
  /** How much later the host launches it. */
  readonly launchedLaterUs?: (rank: number, step: number) => number
  /** How much earlier than the last a rank leaves a collective. */
  readonly leavesUs?: (rank: number, index: number) => number
  readonly offsetUs?: (rank: number) => number
  readonly driftPpm?: (rank: number) => number
  /** Collectives that a rank's profile does not have, at its begin and at its end. */
  readonly missing?: (rank: number) => readonly [number, number]
  /** Marks the steps, from this number on. */
  readonly firstStep?: number
  /** The name of a step; `ProfilerStep#7` if it is left out. */
  readonly stepName?: (step: number) => string
  /** The call of a rank's host in a step before it launches. */
  readonly does?: (rank: number, step: number) => string | null
  readonly worldSize?: number
  /**
   * The host launches a step at once and waits for its end; else it launches as the device needs
   * it.
   */
  readonly waits?: boolean
}

export const ALL_REDUCE: MadeUpCollective = { operation: 'allreduce', elements: 2 ** 20 }
const ORIGIN_US = 5e9
const BETWEEN_US = 5

export interface TrueCollective {
  readonly step: number
  readonly operation: string
  readonly startUs: readonly number[]
  readonly endUs: readonly number[]
}

/** The true order and times. */
export function trueCollectives(made: MadeUp): readonly TrueCollective[] {
  const ranks = Array.from({ length: made.ranks }, (_, rank) => rank)
  const all: TrueCollective[] = []
  let freeUs = ranks.map(() => 100)
  for (const [step, kernelUs] of made.stepsUs.entries()) {
    freeUs = freeUs.map(
      (us, rank) =>
        us + BETWEEN_US + kernelUs + made.laterUs(rank, step) + (made.launchedLaterUs?.(rank, step) ?? 0),
    )
    for (const { operation } of made.collectives) {
      const startUs = freeUs.map((us) => us + BETWEEN_US)
      const allEndUs = Math.max(...startUs) + made.transferUs
      const endUs = ranks.map((rank) => allEndUs - (made.leavesUs?.(rank, all.length) ?? 0))
      all.push({ step, operation, startUs, endUs })
      freeUs = endUs
    }
  }
  return all
}

export function kinetoOf(made: MadeUp, rank: number): KinetoFile {
  const drift = 1 + (made.driftPpm?.(rank) ?? 0) / 1e6
  const originUs = ORIGIN_US + (made.offsetUs?.(rank) ?? 0)
  const at = (us: number) => us * drift
  const worldSize = made.worldSize ?? made.ranks
  const file = new KinetoFile({
    originUs,
    distributed: { backend: 'nccl', rank, world_size: worldSize },
  })
  const happened = trueCollectives(made)
  const [first, last] = made.missing?.(rank) ?? [0, 0]
  const endOfStep = (step: number) =>
    Math.max(...happened.filter((each) => each.step === step).map(({ endUs }) => endUs[rank] ?? 0))
  let [correlation, freeUs, step, calledUs] = [1, 100, -1, 0]
  for (const [index, { step: own, operation, startUs, endUs }] of happened.entries()) {
    const isIn = index >= first && index < happened.length - last
    const [startsUs = 0, endsUs = 0] = [startUs[rank], endUs[rank]]
    if (isIn) {
      const called = (us: number) => [at(us), at(us + 1)] as const
      if (own !== step) {
        const nameOf = made.stepName ?? ((number: number) => `ProfilerStep#${String(number)}`)
        if (made.firstStep !== undefined)
          file.operator(nameOf(made.firstStep + own), [at(freeUs), at(endOfStep(own))], 'user_annotation')
        const launchedUs = freeUs + (made.launchedLaterUs?.(rank, own) ?? 0)
        const does = made.does?.(rank, own) ?? null
        if (does !== null) file.operator(does, [at(freeUs), at(launchedUs)])
        file.call('cudaLaunchKernel', correlation, called(launchedUs + 1))
        file.kernel('gemm', correlation, [at(launchedUs + BETWEEN_US), at(startsUs - BETWEEN_US)])
        correlation += 1
        calledUs = launchedUs + 2
      }
      const { elements } = made.collectives[index % made.collectives.length] ?? ALL_REDUCE
      const callUs = made.waits === true ? calledUs : startsUs - BETWEEN_US - 2
      file.call('cudaLaunchKernelExC', correlation, called(callUs))
      calledUs = callUs + 1
      file.collective(`ncclDevKernel_${operation}`, correlation, [at(startsUs), at(endsUs)], {
        'Collective name': operation,
        'In msg nelems': elements,
        'Out msg nelems': elements,
        dtype: 'Float',
        'Group size': worldSize,
        'Process Group Name': '0',
        'Process Group Ranks': `[${Array.from({ length: worldSize }, (_, each) => String(each)).join(', ')}]`,
      })
      correlation += 1
      if (made.waits === true && happened[index + 1]?.step !== own)
        file.call('cudaDeviceSynchronize', 1e6 + index, [at(calledUs), at(endsUs)])
    }
    freeUs = endsUs
    step = own
  }
  return file
}

/** Rank 1 is 1 ms late in every step but the first, steps 4 to 6; no two clocks agree. */
export const lateByOne = (ranks: number): MadeUp => ({
  ranks,
  stepsUs: [3000, 2500, 4000, 3500],
  collectives: [ALL_REDUCE],
  transferUs: 300,
  laterUs: (rank, step) => (rank === 1 && step > 0 ? 1000 : 0),
  offsetUs: (rank) => rank * 123_456,
  firstStep: 3,
  waits: true,
})

export const fileName = (rank: number): string => `made-up-rank${String(rank)}.json`

export const madeUpRanks = (made: MadeUp): Promise<readonly RankInput[]> =>
  Promise.all(
    Array.from({ length: made.ranks }, async (_, rank) => ({
      file: fileName(rank),
      trace: (await opened(kinetoOf(made, rank).bytes())).trace,
    })),
  )
