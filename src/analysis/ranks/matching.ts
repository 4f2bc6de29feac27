/**
 * The same collective on several ranks: by process group, order within it, operation and size, and
 * by the backend's own count where the files have it. A profile may begin or end some collectives
 * before another's, so orders are first shifted against each other: to where operations, sizes and
 * steps agree and, of what is left, the ends of the collectives keep the most even distance. Where
 * one does not agree after all it is reported, and nothing behind it is matched.
 */
import { addTo, madeOnce } from '../../base/lists'
import { median } from '../../base/stats'
import { bytesText } from '../../base/figures'
import type { Match, MatchMember, Rank, RankCollective, RankProblem } from './types'

interface Sequence {
  readonly rank: number
  readonly list: readonly RankCollective[]
}

/**
 * Matches by the first start of a member, in that file's own time: in order within each group.
 */
export function matchCollectives(ranks: readonly Rank[]) {
  const problems: RankProblem[] = []
  const groups = new Map<string, Map<number, RankCollective[]>>()
  for (const { rank, collectives } of ranks)
    for (const each of collectives) {
      const key = keyOf(rank, each)
      if (key === null) continue
      const group = madeOnce(groups, key, () => new Map<number, RankCollective[]>())
      addTo(group, rank, each)
    }
  const matches = [...groups.values()].flatMap((group) => {
    const sequences = Array.from(group, ([rank, list]): Sequence => ({ rank, list }))
    return sequences.length < 2 ? [] : matchGroup(sequences, problems)
  })
  return { matches, problems }
}

/** Null: nothing to match it by. */
function keyOf(rank: number, { operation, group = '', ranks = '', peer }: RankCollective): string | null {
  if (isUnclear(operation)) return null
  const name = `${group} ${ranks}`
  const direction = directionOf(operation)
  if (direction === null) return name
  if (peer === undefined) return null
  const [from, to] = direction === 'send' ? [rank, peer] : [peer, rank]
  return `${name} ${String(from)}>${String(to)}`
}

/** Collectives that match agree in this. Sizes that one file does not say agree with any. */
function agree(a: RankCollective, b: RankCollective): boolean {
  const isMessage = directionOf(a.operation) !== null
  if (!isMessage && plainOperation(a.operation) !== plainOperation(b.operation)) return false
  return a.sizeBytes === null || b.sizeBytes === null || a.sizeBytes === b.sizeBytes
}

function matchGroup(sequences: readonly Sequence[], problems: RankProblem[]): readonly Match[] {
  const longest = sequences.reduce((most, each) => (each.list.length > most.list.length ? each : most))
  const rows = new Map<number, MatchMember[]>()
  const isCounted = sequences.every(({ list }) => list.every(({ sequence }) => sequence !== undefined))
  for (const { rank, list } of sequences) {
    const shift = isCounted || rank === longest.rank ? 0 : shiftOf(longest.list, list)
    for (const [index, collective] of list.entries()) {
      const place = isCounted ? (collective.sequence ?? -1) : index + shift
      const row = rows.get(place)
      const other = row?.[0]
      if (other && !agree(other.collective, collective)) {
        problems.push({
          code: 'mismatch',
          message: `Collective ${String(index + 1)} of rank ${String(rank)} is ${say(collective)}, where rank ${String(other.rank)} has ${say(other.collective)}: it and those after it are not matched.`,
        })
        break
      }
      // A kernel of a coalesced call shares its number with the others.
      if (row?.some((member) => member.rank === rank) === true) continue
      if (row) row.push({ rank, collective })
      else rows.set(place, [{ rank, collective }])
    }
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .flatMap(([, members]) => {
      const first = members[0]?.collective
      if (!first || members.length < 2) return []
      return {
        operation: directionOf(first.operation) === null ? first.operation : 'send',
        group: first.group,
        sizeBytes: first.sizeBytes,
        members: members.toSorted((a, b) => a.rank - b.rank),
        isSynchronising: isSynchronising(first.operation),
      }
    })
}

const say = ({ operation, sizeBytes, group }: RankCollective): string =>
  `${operation}${sizeBytes === null ? '' : ` of ${bytesText(sizeBytes)}`}${group === undefined ? '' : ` in group ${group}`}`

/**
 * Orders are not shifted by more than this, nor until fewer than half of the shorter lie on the
 * longer.
 */
const MOST_SHIFT = 200
/** At most as many ends of a shift are compared. */
const MOST_ENDS = 400
/** Two shifts whose ends are this even, ns, cannot be distinguished by them. */
const EVEN_NS = 20_000

/** The number to add to a place in `list` to get its place in `base`. */
function shiftOf(base: readonly RankCollective[], list: readonly RankCollective[]): number {
  const least = Math.ceil(Math.min(base.length, list.length) / 2)
  const unmoved = judge(base, list, 0)
  if (base.length === list.length && unmoved.clashes === 0 && unmoved.unevenNs <= EVEN_NS) return 0
  let best: Candidate | null = null
  const [from, to] = [Math.max(-MOST_SHIFT, least - list.length), Math.min(MOST_SHIFT, base.length - least)]
  for (let shift = from; shift <= to; shift += 1) {
    const each = judge(base, list, shift)
    if (best === null || isBetter(each, best)) best = each
  }
  return best?.shift ?? 0
}

type Candidate = Readonly<Record<'shift' | 'clashes' | 'unevenNs' | 'overlap', number>>

function judge(base: readonly RankCollective[], list: readonly RankCollective[], shift: number): Candidate {
  const pairs: (readonly [RankCollective, RankCollective])[] = []
  let clashes = 0
  for (let index = Math.max(0, -shift); index < list.length && index + shift < base.length; index += 1) {
    const [a, b] = [base[index + shift], list[index]]
    if (!a || !b) continue
    pairs.push([a, b])
    if (!agree(a, b) || (a.step >= 0 && b.step >= 0 && a.step !== b.step)) clashes += 1
  }
  return { shift, clashes, unevenNs: unevenness(pairs), overlap: pairs.length }
}

function isBetter(a: Candidate, b: Candidate): boolean {
  // A step may end between the launches of two ranks: some clashes are no more than that.
  if (a.clashes / a.overlap !== b.clashes / b.overlap) return a.clashes / a.overlap < b.clashes / b.overlap
  const [large, small] = [Math.max(a.unevenNs, b.unevenNs), Math.min(a.unevenNs, b.unevenNs)]
  if (large > 2 * small + EVEN_NS) return a.unevenNs < b.unevenNs
  if (a.overlap !== b.overlap) return a.overlap > b.overlap
  return Math.abs(a.shift) < Math.abs(b.shift)
}

/**
 * Median distance of the ends' differences from their middle, or from a line where the clocks drift
 * apart.
 */
function unevenness(pairs: readonly (readonly [RankCollective, RankCollective])[]): number {
  const every = Math.max(1, Math.ceil(pairs.length / MOST_ENDS))
  const ends = pairs.flatMap(([a, b], index) =>
    index % every === 0 ? [{ at: a.endNs, apart: a.endNs - b.endNs }] : [],
  )
  if (ends.length === 0) return Infinity
  const half = ends.length >> 1
  const middleOf = (some: typeof ends, of: (end: (typeof ends)[number]) => number) => median(some.map(of))
  const [early, late] = [ends.slice(0, half), ends.slice(half)]
  // Two at each end at least: a line through two points is even whatever they are.
  const slope =
    half < 2
      ? 0
      : (middleOf(late, ({ apart }) => apart) - middleOf(early, ({ apart }) => apart)) /
        (middleOf(late, ({ at }) => at) - middleOf(early, ({ at }) => at) || 1)
  const level = (end: (typeof ends)[number]) => end.apart - slope * end.at
  const middle = middleOf(ends, level)
  return middleOf(ends, (end) => Math.abs(level(end) - middle))
}

/**
 * Tells by the names that PyTorch, NCCL's kernels and Gloo give what an operation of a process
 * group makes ranks wait for.
 */

/**
 * Operations whose result needs every rank's data (a barrier: nothing else), so that no rank can
 * leave before all have come. The names are those of PyTorch, NCCL's kernels and Gloo.
 */
const SYNCHRONISING = new Set([
  'allreduce',
  'allgather',
  'reducescatter',
  'alltoall',
  'alltoallv',
  'barrier',
  'allbarrier',
])

/**
 * Words that name the way of calling, not what is done: '_allgather_base',
 * 'all_gather_into_tensor_coalesced'.
 */
const FORM = /^_|_base$|_into_tensor|_tensor|_coalesced|_oop$|_sparse|_single/g

/** '_reduce_scatter_base' -> 'reducescatter': one word for one operation, however it was called. */
function plainOperation(operation: string): string {
  return madeOnce(plainNames, operation, () =>
    operation.toLowerCase().replaceAll(FORM, '').replaceAll('_', ''),
  )
}
/** A profile has a handful of names, and asks a million times. */
const plainNames = new Map<string, string>()

/**
 * A broadcast, a scatter, a gather and a reduce have a root: the others, or it, may leave early. A
 * point-to-point message concerns two.
 */
const isSynchronising = (operation: string): boolean => SYNCHRONISING.has(plainOperation(operation))

type Direction = 'send' | 'recv'
/** Null: no point-to-point message. */
const directionOf = (operation: string): Direction | null => {
  const plain = plainOperation(operation)
  return plain === 'send' || plain === 'isend'
    ? 'send'
    : plain === 'recv' || plain === 'irecv'
      ? 'recv'
      : null
}

/** Many in one call, or a kernel that does not say what it does: no pair can be determined. */
const isUnclear = (operation: string): boolean =>
  ['', 'sendrecv', 'unknown', 'coalesced', 'pointtopoint'].includes(plainOperation(operation))
