/**
 * What the files of several ranks begin with: who waits for whom and why, in a sentence and a
 * number, and where each rank's time went.
 */
import type { DeviceParts, Diagnosis } from '../../analysis/findings'
import type { OpenedFacts, RankDigest, RanksDigest } from '../import-worker/protocol'
import { formatCount, formatNumber, formatShare } from '../ui/format'
import { Inline, Words } from '../ui/prose/Inline'
import { RankProblems, RankRows, ranksWithTime, type RankWithTime } from '../ui/verdict/RankRows'
import { VerdictWaiting, type VerdictSectionProps } from './VerdictSection'
import { Button } from '../ui/Button'

/** What the tables of the page 'trace' call things. */
export const FORMAT_WORDS: Readonly<Record<OpenedFacts['format'], string>> = {
  'host-device-lab': 'a file of this lab',
  'trace-event': 'Trace Event JSON',
  'torch-profiler': 'torch.profiler (Kineto)',
  'xla-profiler': 'jax.profiler (XLA)',
}

/** Of more, the others stand behind a line, but for the late one: the timeline must not be far. */
const FEW_RANKS = 8

/** A device without collectives is idle while its host waits in them. */
const waitedUs = (
  { waitUs, collectiveUs, idleUs }: DeviceParts,
  { waitedUs: onHostUs }: RankDigest,
): number => (waitUs + collectiveUs > 0 ? waitUs : Math.min(onHostUs ?? 0, idleUs))

/**
 * Of all ranks' time, what was spent waiting for another and nothing else; null where no rank has a
 * device.
 */
function waitingShare(rows: readonly RankWithTime[]): number | null {
  const sum = (of: (diagnosis: Diagnosis, rank: RankDigest) => number) =>
    rows.reduce((us, { diagnosis, rank }) => us + (diagnosis ? of(diagnosis, rank) : 0), 0)
  const recordedUs = sum((diagnosis) => diagnosis.recordedUs)
  return recordedUs > 0 ? sum(({ parts }, rank) => waitedUs(parts, rank)) / recordedUs : null
}

export interface RanksSectionProps extends Omit<VerdictSectionProps, 'opened'> {
  readonly ranks: RanksDigest
  readonly verdict: NonNullable<RanksDigest['verdict']>
  readonly onSpan: (span: number) => void
}

export const RanksSection = (props: RanksSectionProps) => {
  const { ranks, verdict, found, showing, onSpan } = props
  const { longestWait, lateRank, problems } = ranks
  const share = verdict.kind === 'cannot-tell' ? null : waitingShare(ranksWithTime(ranks, found))
  const isFirst = ({ rank }: RankDigest, index: number) => index < FEW_RANKS || rank === lateRank
  const others = ranks.ranks.shown.filter((rank, index) => !isFirst(rank, index)).length
  const more = ranks.ranks.count - ranks.ranks.shown.length
  return (
    <section className="verdicts container stack-32" aria-labelledby="verdict-title">
      <h2 id="verdict-title" className="visually-hidden">
        Verdict
      </h2>
      <div className="trace-verdict stack" data-verdict={verdict.kind} data-testid="ranks-verdict">
        <div className="verdict-main stack-12">
          <div className="verdict-says row">
            <p className="verdict-number stack tabular">
              <strong>{share === null ? '–' : formatShare(share)}</strong>
              <span className="small quiet">of the ranks’ time is waiting</span>
            </p>
            <p className="verdict-sentence" data-testid="verdict-sentence">
              <Words text={[verdict.sentence, verdict.doing].filter(Boolean).join(' ')} />
            </p>
          </div>
          {verdict.note !== '' && (
            <p className="small quiet">
              <Words text={verdict.note} />
            </p>
          )}
          {longestWait !== null && (
            <p className="no-print">
              <Button look="small" label="Show the longest wait" onClick={() => onSpan(longestWait)} />
            </p>
          )}
        </div>
      </div>
      {found ? (
        <>
          <RankRows {...{ ranks, found, showing }} isShown={isFirst} />
          {others > 0 && (
            <details className="small">
              <summary>{formatCount(others, 'other rank')}</summary>
              <RankRows
                label="Other ranks"
                {...{ ranks, found, showing }}
                isShown={(rank, index) => !isFirst(rank, index)}
              />
            </details>
          )}
        </>
      ) : (
        <VerdictWaiting {...props} what="where the ranks’ time went" />
      )}
      {more > 0 && <p className="small quiet">And {formatNumber(more)} more ranks, in the timeline.</p>}
      <div className="stack-12">
        <RankProblems problems={problems} />
        <details className="rank-clocks small">
          <summary>How we tell waiting from work, and how the clocks were aligned</summary>
          <p>
            <Inline text="A [rank](#rank) that begins a [collective](#collective) early waits in it for the last one. A rank that is last again and again is a [straggler](#straggler): it sets everyone’s pace." />
          </p>
          <dl className="stack-6">
            {ranks.ranks.shown.map(({ rank, clock }) => (
              <div key={rank}>
                <dt className="bold">Rank {rank}</dt>
                <dd>
                  <Words text={clock} />
                </dd>
              </div>
            ))}
          </dl>
          <p>
            <Inline text="No rank leaves an [all-reduce](#all-reduce) before all have arrived, so its ends align the files’ clocks. Waits shorter than the bound are not shown." />
          </p>
        </details>
      </div>
    </section>
  )
}
