/**
 * `npm run lab -- analyze FILE` and `analyze RANK0 RANK1… [--json]`: one file, or the profiles of several ranks together. Times in µs. The
 * same analysis as the page's: src/analysis/ranks. A file that cannot be read ends the command; one that does not belong is a problem.
 */
import { analyseRanks, clockText, splitRanks, type RanksAnalysis } from '../src/analysis/ranks'
import { durationText } from '../src/base/figures'
import { Budget } from '../src/trace/budget'
import { analysisJson, analysisText, plainAnalysis, readOne, type Analysis } from './lab-analyze'
import { firstRows, formatFigure, inert, textTable } from './text-table'

interface ManyFiles {
  readonly ranks: RanksAnalysis
  /** In the order given. */
  readonly files: readonly Analysis[]
}

type ReadFile = Awaited<ReturnType<typeof readOne>>

/** One file may hold several ranks: saved from the page, where they were joined. */
const inputsOf = (read: readonly ReadFile[]) =>
  read.flatMap(({ opened, analysis: { file } }) => splitRanks({ file, trace: opened.trace }))

const together = (read: readonly ReadFile[]): ManyFiles => ({
  ranks: analyseRanks(inputsOf(read)),
  files: read.map(({ analysis }) => analysis),
})

/** @throws CommandError where one cannot be read. */
async function analyzeFiles(files: readonly string[]): Promise<ManyFiles> {
  const read: ReadFile[] = []
  // One after the other: each may need most of the memory while it is read.
  const budget = new Budget()
  for (const file of files) read.push(await readOne(file, budget))
  return together(read)
}

function ranksJson({ ranks: found, files }: ManyFiles): string {
  const { ranks, late, lateEvidence, alignment, problems, matches } = found
  return JSON.stringify(
    {
      ranks: ranks.map(({ rank, file, device, busyRatio, workRatio, waitedUs }) => ({
        rank,
        file,
        device,
        busyRatio,
        workRatio,
        waitedUs,
      })),
      late,
      lateEvidence: late ? lateEvidence : null,
      alignment: alignment.map(({ toCommonNs: _toCommonNs, ...clock }) => clock),
      collectives: matches.map(({ match, members, last, lateNs, boundNs }) => ({
        operation: match.operation,
        group: match.group ?? null,
        bytes: match.sizeBytes,
        last: last.rank,
        lateUs: lateNs / 1e3,
        boundUs: boundNs / 1e3,
        ranks: members.map(({ rank, startNs, endNs, waitNs }) => ({
          rank,
          beginUs: startNs / 1e3,
          endUs: endNs / 1e3,
          waitUs: waitNs / 1e3,
        })),
      })),
      problems,
      files: files.map(plainAnalysis),
    },
    null,
    2,
  )
}

const us = (value: number | null): string => (value === null ? 'unknown' : durationText(value * 1e3))
const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${formatFigure(100 * share)} %`

function ranksText({ ranks: found, files }: ManyFiles): string {
  const { ranks, verdict, alignment, problems } = found
  const rows = ranks.map(({ rank, file, busyRatio, workRatio, waitedUs }) => [
    String(rank),
    percent(busyRatio),
    percent(workRatio),
    us(waitedUs),
    file,
  ])
  const sections = [
    ...(rows.length > 0 ? [textTable([['rank', 'busy', 'work', 'waited', 'file'], ...rows], [1, 2, 3])] : []),
    ...(ranks.length > 1
      ? [
          [[verdict.sentence, verdict.doing].filter(Boolean).join(' '), verdict.note]
            .filter(Boolean)
            .join('\n'),
        ]
      : []),
    ...(alignment.length > 1
      ? [
          [
            'clocks',
            textTable(alignment.map((clock) => [`  rank ${String(clock.rank)}`, clockText(clock)])),
          ].join('\n'),
        ]
      : []),
    ...(problems.length > 0
      ? [textTable(firstRows(problems.map(({ message }) => [`problem: ${message}`])))]
      : []),
    ...files.map((file) => analysisText(file)),
  ]
  return sections.join('\n\n')
}

export async function analyze(files: readonly string[], json: boolean): Promise<number> {
  const [file = '', ...others] = files
  const one = others.length === 0 ? await readOne(file) : null
  if (one && inputsOf([one]).length < 2) {
    console.log(inert(json ? analysisJson(one.analysis) : analysisText(one.analysis)))
    return 0
  }
  const found = one ? together([one]) : await analyzeFiles(files)
  console.log(inert(json ? ranksJson(found) : ranksText(found)))
  return 0
}
