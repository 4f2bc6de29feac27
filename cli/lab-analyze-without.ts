/**
 * `lab analyze FILE --without CAUSE[,CAUSE]`: what a step would take without causes, by replay; of
 * several files a rank each.
 */
import { reasonsOf } from '../src/analysis/devices'
import { rankName, type RanksAnalysis } from '../src/analysis/ranks'
import { changesText, gainText } from '../src/analysis/finding-words'
import type { IdleReasons } from '../src/analysis/idle-reasons'
import { gainOf } from '../src/analysis/device-findings'
import type { Removed } from '../src/analysis/replay/without'
import { placeTrace } from '../src/trace/place'
import type { ReadFile } from './lab-analyze'
import { CommandError } from './terminal.mjs'

/** @throws CommandError where the file can't be replayed */
function predicted(reasons: IdleReasons | null, device: string | undefined, removed: readonly Removed[]) {
  if (!reasons || device === undefined) throw new CommandError('Only profiles with a device are replayed.', 2)
  const replayed = reasons.replayOf(device)
  if (typeof replayed === 'string') throw new CommandError(replayed, 2)
  const { stepUs, low, high, gain } = gainOf(replayed, removed)
  const { recordedNs, replayedNs } = replayed.replay
  const isThere = replayed.replay.occurs(removed)
  return { isThere, recordedUs: recordedNs / 1e3, replayedUs: replayedNs / 1e3, stepUs, low, high, gain }
}

export function withoutText(
  read: readonly ReadFile[],
  ranks: RanksAnalysis | null,
  removed: readonly Removed[],
  stepMs: number | null,
  isJson: boolean,
): string {
  const rows = ranks?.joined
    ? ofRanks(ranks, removed, stepMs)
    : read.map(({ reasons, analysis }) => ({
        rank: null,
        file: analysis.file,
        ...predicted(reasons, analysis.devices[0]?.id, removed),
      }))
  const [only] = rows
  if (isJson) {
    const shown = rows.map(({ isThere: _, ...row }) => row)
    if (rows.length > 1 || !only) return JSON.stringify(shown, null, 2)
    const { recordedUs, replayedUs, stepUs, low, high, gain } = only
    return JSON.stringify({ recordedUs, replayedUs, stepUs, low, high, gain }, null, 2)
  }
  const change = changesText(removed)
  return rows
    .map(({ rank, file, isThere, replayedUs, ...gain }) => {
      const text = isThere ? gainText(change, gain, replayedUs) : notShownText(removed, rows.length)
      return rows.length > 1 ? `${rank === null ? file : `rank ${String(rank)}`}: ${text}` : text
    })
    .join('\n')
}

/** That a file shows nothing of a cause does not say that it has none. */
function notShownText(removed: readonly Removed[], ranks: number): string {
  const hints = removed.map(({ cause }) => {
    if (cause === 'slow-kernels') return ' Kernels are rated by shapes: record with record_shapes=True.'
    const isBetween = cause === 'late-rank' || cause === 'collectives'
    return isBetween && ranks === 1 ? ' Ranks wait for each other: open the files of all of them.' : ''
  })
  return `The file shows no such cause.${[...new Set(hints)].join('')}`
}

/** Joined: only there a rank's wait for the last one is known. */
function ofRanks({ joined, ranks }: RanksAnalysis, removed: readonly Removed[], stepMs: number | null) {
  if (!joined) return []
  const placed = placeTrace(joined)
  const reasons = reasonsOf(placed, stepMs)
  return ranks.flatMap(({ rank, file, device }) =>
    device === null ? [] : [{ rank, file, ...predicted(reasons, rankName(rank, device), removed) }],
  )
}
