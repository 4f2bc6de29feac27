/**
 * Tells which rank a file is of, and which files belong together. A file says its rank and the
 * number of ranks (`distributedInfo`); the name of an older one may. A file that does not belong is
 * left out with a sentence; at most one file stands for a rank.
 */
import { collectiveAt } from '../../trace/collectives'
import { placeTrace } from '../../trace/place'
import { reasonsOf, summariseDevices, type DeviceSummary } from '../devices'
import type { Rank, RankCollective, RankInput, RankProblem } from './types'

/** 'rank0', 'rank_3', 'trace-rank-12.json'. */
const NAMED_RANK = /(?:^|[^a-z])rank[-_ ]?(\d{1,6})(?!\d)/i

const baseName = (file: string): string => file.replace(/^.*[/\\]/, '')

interface Named {
  readonly input: RankInput
  readonly rank: number
  readonly worldSize: number | null
}

/** By rank. */
export function findRanks(inputs: readonly RankInput[]) {
  const problems: RankProblem[] = []
  const named = inputs.flatMap((input): readonly Named[] => {
    const said = input.trace.info.distributed
    if (said) return [{ input, rank: said.rank, worldSize: said.worldSize }]
    const name = NAMED_RANK.exec(baseName(input.file))?.[1]
    if (name === undefined) {
      problems.push({
        code: 'no-rank',
        message: `'${input.file}' does not say which rank it belongs to: it is left out.`,
      })
      return []
    }
    problems.push({
      code: 'rank-from-name',
      message: `'${input.file}' is taken for rank ${name} by its name alone.`,
    })
    return [{ input, rank: Number(name), worldSize: null }]
  })
  const sizes = named.flatMap(({ worldSize }) => (worldSize === null ? [] : [worldSize]))
  const countOf = (size: number) => sizes.filter((each) => each === size).length
  // The first of several that are as frequent.
  const [size = null] = sizes.toSorted((a, b) => countOf(b) - countOf(a))
  const ranks = new Map<number, Named>()
  for (const each of named) {
    const { input, rank, worldSize } = each
    if (size !== null && worldSize !== null && worldSize !== size) {
      problems.push({
        code: 'other-run',
        message: `'${input.file}' is from a run with ${String(worldSize)} ranks, the others are from one with ${String(size)}: it is left out.`,
      })
      continue
    }
    const known = ranks.get(rank)
    if (!known) ranks.set(rank, each)
    else
      problems.push({
        code: 'same-rank',
        message: `'${input.file}' and '${known.input.file}' are both from rank ${String(rank)}: only the latter is used.`,
      })
  }
  const found = [...ranks.values()].sort((a, b) => a.rank - b.rank)
  const missing = Array.from({ length: Math.min(size ?? 0, MOST_RANKS) }, (_, rank) => rank).filter(
    (rank) => !ranks.has(rank),
  )
  if (found.length > 0 && missing.length > 0)
    problems.push({
      code: 'missing-ranks',
      message: `${String(found.length)} of ${String(size)} ranks are here; ${listOf(missing)} ${missing.length === 1 ? 'is' : 'are'} missing, and may be the one that the others wait for.`,
    })
  if (found.length === 1)
    problems.push({
      code: 'too-few-ranks',
      message: 'Only one rank is left: from one side, waiting can’t be told from transferring.',
    })
  return { ranks: found.map(({ input, rank, worldSize }) => rankOf(input, rank, worldSize)), problems }
}

/** Beyond it missing ranks are not listed. */
const MOST_RANKS = 100_000
const MOST_LISTED = 8

function listOf(ranks: readonly number[]): string {
  const shown = ranks.slice(0, MOST_LISTED).join(', ')
  const rest = ranks.length - MOST_LISTED
  const more = rest > 0 ? ` and ${String(rest)} more` : ''
  return `rank${ranks.length === 1 ? '' : 's'} ${shown}${more}`
}

function rankOf({ file, trace }: RankInput, rank: number, worldSize: number | null): Rank {
  const placed = placeTrace(trace)
  const reasons = reasonsOf(placed)
  const devices = summariseDevices(placed, reasons)
  const collectives = Array.from({ length: trace.collectives.length }, (_, row): RankCollective => {
    const collective = collectiveAt(trace, row)
    const { span } = collective
    const sizeBytes = trace.spans.bytes[span] ?? Number.NaN
    return {
      ...collective,
      startNs: placed.startNs[span] ?? Number.NaN,
      endNs: placed.endNs[span] ?? Number.NaN,
      sizeBytes: Number.isNaN(sizeBytes) ? null : sizeBytes,
      step: trace.spans.step[span] ?? -1,
    }
  })
    .filter(({ startNs, endNs }) => endNs >= startNs)
    .sort((a, b) => a.startNs - b.startNs)
  const isTalking = devices.some(({ collectiveUs }) => collectiveUs > 0)
  const usOf = ({ collectiveUs, busyUs }: DeviceSummary) => (isTalking ? collectiveUs : busyUs)
  const [device] = devices.toSorted((a, b) => usOf(b) - usOf(a))
  return {
    rank,
    worldSize,
    file,
    placed,
    devices,
    reasons,
    device: device ?? null,
    collectives,
  }
}
