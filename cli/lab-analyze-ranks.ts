/**
 * `npm run lab -- analyze FILE` and `analyze RANK0 RANK1…`: one file, or the profiles of several
 * ranks together. Times in µs. The same analysis as the page's: src/analysis/ranks. A file that
 * cannot be read ends the command; one that does not belong is a problem.
 */
import { once } from 'node:events'
import { basename } from 'node:path'
import { analyse } from '../src/analysis/diagnosis'
import { analyseRanks, clockText, type RanksAnalysis } from '../src/analysis/ranks'
import { summarise, summariseFile, type Summary, summaryMarkdown } from '../src/analysis/summary/summary'
import { Budget } from '../src/trace/budget'
import { placeTrace } from '../src/trace/place'
import {
  analysisJson,
  analysisText,
  percent,
  plainAnalysis,
  readOne,
  us,
  type Analysis,
  type ReadFile,
} from './lab-analyze'
import { jsonBlocks, LongList } from './json-blocks'
import { failures } from './fail-if'
import { withoutText } from './lab-analyze-without'
import type { Painter } from './lab-analyze-picture'
import type { parseAnalyze } from './analyze-arguments'
import { usageError } from './strict-arguments'
import { CommandError, inert, say } from './terminal.mjs'
import { traceFiles } from './trace-files'
import { firstRows, textTable } from './text-table'

interface ManyFiles {
  readonly ranks: RanksAnalysis
  /** In the order given. */
  readonly files: readonly Analysis[]
}

const together = (read: readonly ReadFile[]): ManyFiles => ({
  ranks: analyseRanks(read.map(({ opened: { trace }, analysis: { file } }) => ({ file, trace }))),
  files: read.map(({ analysis }) => analysis),
})

/** @throws CommandError where one cannot be read. */
async function readFiles(files: readonly string[], stepMs: number | null): Promise<readonly ReadFile[]> {
  const read: ReadFile[] = []
  // One after the other: each may need most of the memory while it is read.
  const budget = new Budget()
  const refused: CommandError[] = []
  for (const file of await traceFiles(files))
    try {
      read.push(await readOne(file, stepMs, budget))
    } catch (thrown) {
      // A run's folder may hold more than its traces.
      if (files.includes(file) || !(thrown instanceof CommandError)) throw thrown
      refused.push(thrown)
    }
  const [first] = refused
  if (read.length === 0 && first) throw first
  for (const { message } of refused) say(`${message} It is left out.`)
  return read
}

function plainRanks({ ranks: found, files }: ManyFiles) {
  const { ranks, late, lateEvidence, alignment, problems, matches } = found
  return {
    schema: 'host-device-lab/ranks-analysis@1',
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
    collectives: new LongList(matches, ({ match, members, last, lateNs, boundNs }) => ({
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
  }
}

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

/**
 * Ranks are summed up on one axis, as the page shows them: only there can waiting for another rank
 * be distinguished from moving data.
 */
function summaryOf(files: readonly Analysis[], found: ManyFiles | null, stepMs: number | null): Summary {
  const ranks = found && found.ranks.ranks.length > 1 ? found.ranks : null
  const verdict = ranks?.verdict ?? null
  const alone = (some: readonly Analysis[]) =>
    some.map(({ file, devices, diagnoses }) => summariseFile(basename(file), devices, diagnoses))
  if (!ranks?.joined) return summarise(alone(files), verdict)
  const { devices, diagnoses } = analyse(placeTrace(ranks.joined), stepMs)
  const used = new Set(ranks.ranks.map(({ file }) => file))
  const names = Array.from(used, (file) => basename(file)).join(', ')
  return summarise(
    [summariseFile(names, devices, diagnoses), ...alone(files.filter(({ file }) => !used.has(file)))],
    verdict,
  )
}

/**
 * A block when the one before has been taken: a pipe that is read slowly would be kept in memory.
 */
async function print(blocks: Iterable<string>): Promise<void> {
  for (const block of blocks) {
    console.log(inert(block))
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  }
}

/**
 * 1 where a condition of --fail-if holds or cannot be determined: each is a line on standard error.
 * @param png what makes a picture as PNG; null where nothing does
 */
export async function analyze(
  { files, as, failIf, picture, before, without, stepMs, table }: ReturnType<typeof parseAnalyze>,
  png: (() => Promise<Painter>) | null = null,
): Promise<number> {
  const read = await readFiles(files, stepMs)
  const [only] = read
  const one = read.length === 1 && only ? only : null
  const found = one ? null : together(read)
  if (without !== null) {
    console.log(inert(withoutText(read, found?.ranks ?? null, without, stepMs, as === 'json')))
    return 0
  }
  if (table !== null) {
    if (!one) throw usageError('--table takes one file.')
    const { tableOutput } = await import('./lab-analyze-table')
    const earlier = before === null ? null : await readOne(before)
    console.log(inert(tableOutput(one, earlier, table, as)))
    return 0
  }
  const analyses = found?.files ?? (one ? [one.analysis] : [])
  const summary = summaryOf(analyses, found, stepMs)
  // First: where it cannot be made, nothing else stands on standard output before the error.
  if (picture !== null) await (await import('./lab-analyze-picture')).writePicture(picture, summary, png)
  if (as === 'markdown') console.log(inert(summaryMarkdown(summary)))
  else if (found) await print(as === 'json' ? jsonBlocks(plainRanks(found)) : [ranksText(found)])
  else if (one) await print(as === 'json' ? analysisJson(one.analysis) : [analysisText(one.analysis)])
  const failed = failures(failIf, analyses)
  for (const line of failed) say(inert(line))
  return failed.length === 0 ? 0 : 1
}
