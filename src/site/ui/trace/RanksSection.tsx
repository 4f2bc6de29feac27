/** What the files of several ranks begin with: who waits for whom and why, in a sentence and a number, and where each rank's time went. */
import type { Diagnosis } from '../../../analysis/findings'
import type { FoundFacts, RankDigest, RanksDigest } from '../../import-worker/protocol'
import { formatCount, formatNumber, formatQuantity, formatShare } from '../format'
import { Inline } from '../prose/Inline'
import { TimeBar } from './TimeBar'
import { Verdict, type VerdictSectionProps } from './VerdictSection'
import { Words } from './Words'
import { RANK_WORDS } from './words'

/** Of more, the others stand behind a line, but for the late one: the timeline must not be far. */
const FEW_RANKS = 8

interface Row {
  readonly rank: RankDigest
  /** Null while it is worked out, and of a rank without a device. */
  readonly diagnosis: Diagnosis | null
  /** Among the devices; -1 none. */
  readonly device: number
}

const rowsOf = ({ ranks }: RanksDigest, found: FoundFacts | null): readonly Row[] =>
  ranks.shown.map((rank) => {
    const device = found?.diagnoses.findIndex((diagnosis) => diagnosis.device === rank.device) ?? -1
    return { rank, device, diagnosis: found?.diagnoses[device] ?? null }
  })

/** Where the time of each rank went, and nothing of why. */
export const RankTimes = ({ ranks, found }: { readonly ranks: RanksDigest; readonly found: FoundFacts }) => {
  const rows = rowsOf(ranks, found)
  return (
    <RankRows
      label="Ranks"
      rows={rows}
      scaleUs={longestSpan(rows)}
      lateRank={ranks.lateRank}
      showing={null}
    />
  )
}

const longestSpan = (rows: readonly Row[]): number =>
  Math.max(0, ...rows.map(({ diagnosis }) => diagnosis?.spanUs ?? 0))

/** Of all ranks' time, what was spent waiting for another and nothing else; null where no rank has a device. */
function waitingShare(rows: readonly Row[]): number | null {
  const sum = (of: (diagnosis: Diagnosis) => number) =>
    rows.reduce((us, { diagnosis }) => us + (diagnosis ? of(diagnosis) : 0), 0)
  const recordedUs = sum((diagnosis) => diagnosis.recordedUs)
  return recordedUs > 0 ? sum(({ parts }) => parts.waitUs) / recordedUs : null
}

export interface RanksSectionProps extends VerdictSectionProps {
  readonly ranks: RanksDigest
  readonly verdict: NonNullable<RanksDigest['verdict']>
  readonly onSpan: (span: number) => void
}

export const RanksSection = ({ ranks, verdict, found, isReading, showing, onSpan }: RanksSectionProps) => {
  const { longestWait, lateRank, problems } = ranks
  const rows = rowsOf(ranks, found)
  const share = verdict.kind === 'cannot-tell' ? null : waitingShare(rows)
  const rowProps = {
    scaleUs: longestSpan(rows),
    lateRank,
    showing,
  }
  const isFirst = ({ rank }: Row, index: number) => index < FEW_RANKS || rank.rank === lateRank
  const first = rows.filter(isFirst)
  const others = rows.filter((row, index) => !isFirst(row, index))
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
              <button
                type="button"
                className="button button-small"
                onClick={() => {
                  onSpan(longestWait)
                }}
              >
                Show the longest wait
              </button>
            </p>
          )}
        </div>
      </div>
      {found ? (
        <>
          <RankRows label="Ranks" rows={first} {...rowProps} />
          {others.length > 0 && (
            <details className="small">
              <summary>{formatCount(others.length, 'other rank')}</summary>
              <RankRows label="Other ranks" rows={others} {...rowProps} />
            </details>
          )}
        </>
      ) : (
        <p className="verdict-waiting quiet" role="status">
          {isReading
            ? 'Working out where the ranks’ time went.'
            : 'Reading was stopped before it was worked out where the ranks’ time went. Open the files again for that.'}
        </p>
      )}
      {more > 0 && <p className="small quiet">And {formatNumber(more)} ranks more, in the timeline.</p>}
      <div className="stack-12">
        <RankProblems problems={problems} />
        <details className="rank-clocks small">
          <summary>How we tell waiting from work, and how the clocks were aligned</summary>
          <p>
            <Inline text={RANK_WORDS.waiting} />
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
            <Inline text={RANK_WORDS.clocks} />
          </p>
        </details>
      </div>
    </section>
  )
}

interface RankRowsProps {
  readonly label: string
  readonly rows: readonly Row[]
  readonly scaleUs: number
  readonly lateRank: number | null
  /** Null: neither files nor causes are shown. */
  readonly showing: VerdictSectionProps['showing'] | null
}

const RankRows = ({ label, rows, scaleUs, lateRank, showing }: RankRowsProps) => (
  <ol className="stack-20" aria-label={label}>
    {rows.map((row) => (
      <RankRow
        key={row.rank.rank}
        row={row}
        scaleUs={scaleUs}
        isLate={row.rank.rank === lateRank}
        showing={showing}
      />
    ))}
  </ol>
)

interface RankRowProps {
  readonly row: Row
  readonly scaleUs: number
  readonly isLate: boolean
  readonly showing: RankRowsProps['showing']
}

const RankRow = ({ row: { rank, diagnosis, device }, scaleUs, isLate, showing }: RankRowProps) => (
  <li className="rank-row stack" data-testid="rank-row" data-late={isLate || undefined}>
    <div className="rank-head shrinks breaks stack-2">
      <h3>
        Rank {rank.rank}
        {isLate && <span className="rank-late small bold">late</span>}
      </h3>
      {showing && <span className="small quiet">{rank.file}</span>}
      <span className="small quiet">
        {rank.waitedUs === null
          ? 'how long it waited: not known'
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
