/**
 * The inverse of join.ts: a joined trace that was saved or sent, as its ranks again, so that it is asked anew and shows what it showed. What
 * the join added (arrows between ranks, waits, who was last) is left out: the next join adds it again.
 */
import { selectSpans } from '../../trace/select'
import { spanKindIndex, type Trace } from '../../trace/schema'
import { IS_LAST, JOINED, rankName } from './join'
import type { RankInput } from './types'

const WAIT = spanKindIndex('collective-wait')

/** The trace that was given, where it is of one rank or of none. */
export function splitRanks({ file, trace }: RankInput): readonly RankInput[] {
  const { derived } = trace.info
  const text = derived[JOINED.ranks]
  if (typeof text !== 'string') return [{ file, trace }]
  const ranks = text.split(', ').map(Number)
  const isRank = (rank: number) => trace.lanes.some(({ name }) => name.startsWith(rankName(rank, '')))
  if (ranks.length < 2 || !ranks.every((rank) => Number.isSafeInteger(rank) && isRank(rank)))
    return [{ file, trace }]
  const worldSize = derived[JOINED.worldSize]
  return ranks.map((rank) => {
    const own = derived[JOINED.file(rank)]
    return {
      file: typeof own === 'string' ? own : `${file}, rank ${String(rank)}`,
      trace: rankOf(trace, rank, typeof worldSize === 'number' ? worldSize : ranks.length),
    }
  })
}

function rankOf(trace: Trace, rank: number, worldSize: number): Trace {
  const prefix = rankName(rank, '')
  const plain = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const part = selectSpans(trace, {
    lane: ({ name }) => name.startsWith(prefix),
    span: (span) => trace.spans.kind[span] !== WAIT,
    instant: (row) => !IS_LAST.test(trace.strings[trace.instants.name[row] ?? -1] ?? ''),
  })
  return {
    ...part,
    info: {
      ...trace.info,
      derived: Object.fromEntries(
        Object.entries(trace.info.derived).flatMap(([name, value]) =>
          name.startsWith(prefix) || name === 'PyTorch' || name === 'CUDA' ? [[plain(name), value]] : [],
        ),
      ),
      distributed: { rank, worldSize, backend: '' },
    },
    lanes: part.lanes.map((lane) => ({ ...lane, name: plain(lane.name), group: plain(lane.group) })),
    counters: part.counters.map((counter) => ({ ...counter, name: plain(counter.name) })),
  }
}
