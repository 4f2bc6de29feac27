/** Where each rank's time went, a row each on one scale. */
import type { Diagnosis, Example } from '../../../analysis/findings'
import type { FoundFacts, RankDigest, RanksDigest } from '../../import-worker/protocol'
import { formatNumber, formatQuantity } from '../format'
import { TimeBar, Verdict } from './Verdict'
import { Words } from '../prose/Inline'

export interface RankWithTime {
  readonly rank: RankDigest
  /** Null while it is worked out, and of a rank without a device. */
  readonly diagnosis: Diagnosis | null
  /** Among the devices; -1 none. */
  readonly device: number
}

export const ranksWithTime = ({ ranks }: RanksDigest, found: FoundFacts | null): readonly RankWithTime[] =>
  ranks.shown.map((rank) => {
    const device = found?.diagnoses.findIndex((diagnosis) => diagnosis.device === rank.device) ?? -1
    return { rank, device, diagnosis: found?.diagnoses[device] ?? null }
  })

export interface RankRowsProps {
  readonly label?: string
  readonly ranks: RanksDigest
  readonly found: FoundFacts
  /** Which of them; left out: all. */
  readonly isShown?: (rank: RankDigest, index: number) => boolean
  /** By device; left out: neither files nor causes are shown. */
  readonly showing?: (device: number) => (example: Example) => (() => void) | null
}

export const RankRows = ({ label = 'Ranks', ranks, found, isShown = () => true, showing }: RankRowsProps) => {
  const rows = ranksWithTime(ranks, found)
  const scaleUs = Math.max(0, ...rows.map(({ diagnosis }) => diagnosis?.spanUs ?? 0))
  return (
    <ol className="stack-20" aria-label={label}>
      {rows.map(({ rank, diagnosis, device }, index) => {
        const isLate = rank.rank === ranks.lateRank
        return !isShown(rank, index) ? null : (
          <li
            key={rank.rank}
            className="rank-row stack"
            data-testid="rank-row"
            data-late={isLate || undefined}
          >
            <div className="rank-head shrinks breaks stack-2">
              <h3>
                Rank {rank.rank}
                {isLate && <span className="rank-late small bold">late</span>}
              </h3>
              {showing && <span className="small quiet">{rank.file}</span>}
              <span className="small quiet">
                {rank.waitedUs === null
                  ? 'waiting time unknown'
                  : `waited ${formatQuantity(rank.waitedUs, 'us')} in collectives`}
              </span>
            </div>
            <div className="rank-body stack-8">
              {diagnosis ? (
                <>
                  <TimeBar parts={diagnosis.parts} spanUs={diagnosis.spanUs} scaleUs={scaleUs} />
                  {showing && (
                    <details className="small">
                      <summary>What rank {rank.rank} spends its time on</summary>
                      <Verdict diagnosis={diagnosis} name={null} showing={showing(device)} />
                    </details>
                  )}
                </>
              ) : (
                <p className="small quiet">No work of a GPU is in this file.</p>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

export const RankProblems = ({
  problems: { count, shown },
}: {
  readonly problems: RanksDigest['problems']
}) =>
  count === 0 ? null : (
    <ul className="rank-problems stack-6 small" data-testid="rank-problems" aria-label="About the files">
      {shown.map((problem) => (
        <li key={problem}>
          <Words text={problem} />
        </li>
      ))}
      {count > shown.length && <li>and {formatNumber(count - shown.length)} more.</li>}
    </ul>
  )
