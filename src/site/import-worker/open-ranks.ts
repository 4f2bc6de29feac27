/**
 * Several files, opened one after the other and joined where they are of ranks of one run
 * (analysis/ranks). A file that cannot be read, or does not belong, is a sentence; what is left is
 * shown: the ranks together, or the one file that can be used.
 */
import { type Fault, fail, succeed, type Result } from '../../base/fault'
import { analyseRanks, rankName, clockText, rankListText, type RanksAnalysis } from '../../analysis/ranks'
import { openTraceFile, type OpenedTrace } from '../../trace/formats/import/open-trace'
import { cap } from './digest'
import type { NamedFile, RanksDigest } from './protocol'
import type { Budget } from '../../trace/budget'
import { faultOf, pageBudget, sourceOfBlob, thrownFault, type OpenedFile } from './opened-file'

/** Of what is done here, the files take this share; the rest is for matching and joining them. */
const READING_SHARE = 0.85
/** More lines than this tell nobody anything. */
const MOST_RANKS = 64
const MOST_PROBLEMS = 40

export async function openRanks(
  files: readonly NamedFile[],
  onProgress: (share: number, phase: string) => void,
): Promise<Result<OpenedFile>> {
  const allBytes = files.reduce((sum, { blob }) => sum + blob.size, 0)
  const read: { readonly file: string; readonly opened: OpenedTrace; readonly sizeBytes: number }[] = []
  const unread: { readonly file: string; readonly fault: Fault }[] = []
  // They are shown together, so they may cost together what one may.
  const budget = pageBudget()
  let doneBytes = 0
  for (const [index, { file, blob }] of namedApart(files).entries()) {
    const phase = `Reading ${file} (${String(index + 1)} of ${String(files.length)})`
    const one = await readOne(blob, budget, (share) =>
      onProgress((READING_SHARE * (doneBytes + share * blob.size)) / Math.max(1, allBytes), phase),
    )
    if (one.ok) read.push({ file, opened: one.value, sizeBytes: blob.size })
    else unread.push({ file, fault: one.error })
    doneBytes += blob.size
  }
  const problems = unread.map(({ file, fault }) => `‘${file}’ cannot be read. ${fault.message}`)
  const [first] = read
  if (!first)
    return fail({
      code: 'file',
      message: problems.join(' '),
      hint: unread[0]?.fault.hint ?? '',
    })
  onProgress(READING_SHARE, 'Matching the ranks')
  const found = analyseRanks(read.map(({ file, opened: { trace } }) => ({ file, trace })))
  const { joined, ranks } = found
  const used = read.filter(({ file }) => ranks.some((rank) => rank.file === file))
  if (joined === null || ranks.length < 2) {
    const one = used[0] ?? first
    return succeed({
      opened: one.opened,
      sizeBytes: one.sizeBytes,
      ranks: digestRanks(found, one.file, problems),
    })
  }
  const title = `Ranks ${rankListText(ranks.map(({ rank }) => rank))}`
  return succeed({
    opened: {
      format: first.opened.format,
      trace: joined,
      report: null,
      skipped: used.flatMap(({ file, opened }) =>
        opened.skipped.map((skipped) => ({ ...skipped, reason: `${file}: ${skipped.reason}` })),
      ),
      notes: used.flatMap(({ file, opened }) => opened.notes.map((note) => `${file}: ${note}`)),
    },
    sizeBytes: used.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ranks: digestRanks(found, title, problems),
  })
}

/** Folders of ranks often hold files of one name. */
function namedApart(files: readonly NamedFile[]): readonly { readonly file: string; readonly blob: Blob }[] {
  const seen = new Map<string, number>()
  return files.map(({ name, blob }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { file: times === 1 ? name : `${name} (${String(times)})`, blob }
  })
}

async function readOne(
  blob: Blob,
  budget: Budget,
  onProgress: (share: number) => void,
): Promise<Result<OpenedTrace>> {
  onProgress(0)
  const source = sourceOfBlob(blob, budget)
  if (!source.ok) return source
  try {
    const opened = await openTraceFile(source.value, { onProgress, budget })
    return opened.ok ? opened : fail(faultOf(opened.error))
  } catch (thrown) {
    return fail(thrownFault(thrown))
  }
}

function digestRanks(found: RanksAnalysis, title: string, unread: readonly string[]): RanksDigest {
  const { ranks, alignment, late, verdict, problems } = found
  return {
    title,
    ranks: {
      count: ranks.length,
      shown: ranks.slice(0, MOST_RANKS).map(({ rank, file, device, waitedUs }) => {
        const clock = alignment.find((each) => each.rank === rank)
        return {
          rank,
          file,
          device: device === null ? null : rankName(rank, device),
          waitedUs,
          clock: clock ? clockText(clock) : '',
        }
      }),
    },
    verdict: ranks.length > 1 ? verdict : null,
    lateRank: late?.rank ?? null,
    longestWait: ranks.length > 1 ? longestWait(found) : null,
    problems: cap([...unread, ...problems.map(({ message }) => message)], MOST_PROBLEMS),
  }
}

/**
 * Of the joined trace: the collective, on the rank that waited longest in it, for the late rank or,
 * where none is late, for any; by more than the clocks leave open. Its span is the wait, and what
 * came of it.
 */
function longestWait({ matches, joined, late }: RanksAnalysis): number | null {
  if (!joined) return null
  let [worst, worstNs] = [-1, 0]
  for (const [index, { last, members, boundNs, match }] of matches.entries()) {
    if (!match.isSynchronising || (late && last.rank !== late.rank)) continue
    const waitNs = Math.max(...members.map((member) => member.waitNs))
    if (waitNs > boundNs && waitNs > worstNs) [worst, worstNs] = [index, waitNs]
  }
  if (worst < 0) return null
  const { collectives } = joined
  let [waiting, longestNs]: [number | null, number] = [null, 0]
  for (let row = 0; row < collectives.length; row += 1) {
    const waitNs = collectives.waitNs[row] ?? 0
    if (collectives.match[row] === worst && waitNs > longestNs)
      [waiting, longestNs] = [collectives.span[row] ?? null, waitNs]
  }
  return waiting
}
