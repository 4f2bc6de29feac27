/** What is answered to a press: of a wrong line what it does and what the profile shows of it; of the right one the verdict, its evidence and the lesson. */
import type { Example } from '../../../../analysis/findings'
import type { FaultPlace, Attributed, Calls } from '../../../state/profile-answer'
import { addressOf, type Route } from '../../../state/url'
import { formatCount, formatQuantity, formatShare } from '../../format'
import { Inline } from '../../prose/Inline'
import { FindingRow, LessonLink, showOf } from '../../verdict/FindingRow'
import { Words } from '../../verdict/Words'
import type { ProfileRead } from './use-read-profile'

/** What a profile shows of a function, in sentences: how often it ran and for how long, and what of the GPU's time is attributed to it. Pure. */
export function evidenceWords(calls: Calls | undefined, attributed: readonly Attributed[]): string {
  if (!calls) return 'This profile has no call of it, so it cost nothing.'
  const mean = formatQuantity(calls.ns / calls.count, 'ns')
  const ran = `In this profile it ran ${formatCount(calls.count, 'time')}, for ${mean} on the host${calls.count > 1 ? ' on average' : ''}.`
  if (attributed.length === 0) return `${ran} It cost the GPU no time.`
  const parts = attributed.map(({ share, title, rank }) => {
    const whose = rank === null ? 'the GPU’s' : `rank ${String(rank)}’s`
    return `${formatShare(share)} of ${whose} time (${title.toLowerCase()})`
  })
  return `${ran} It cost ${parts.join(', ')}.`
}

export const WrongAnswer = ({ words, evidence }: { readonly words: string; readonly evidence: string }) => (
  <div className="find-answer stack-10" data-testid="feedback" data-right="false">
    <p>
      <strong>Not this one.</strong> <Inline text={words} />
    </p>
    {evidence !== '' && (
      <p className="small">
        <Words text={evidence} />
      </p>
    )}
  </div>
)

export interface RightAnswerProps {
  readonly answer: FaultPlace
  readonly profile: ProfileRead
  readonly clicks: number
  readonly next: { readonly number: number; readonly route: Route } | null
  readonly onShow: (device: number, example: Example) => void
}

export const RightAnswer = ({ answer, profile, clicks, next, onShow }: RightAnswerProps) => {
  const { ranks, found, recording } = profile
  if (answer.at === 'unknown') return null
  const diagnosis = answer.at === 'nowhere' ? answer.diagnosis : found.diagnoses[answer.device]
  const verdict = ranks?.verdict ?? diagnosis
  return (
    <div className="find-answer stack-10 find-answer-right" data-testid="feedback" data-right="true">
      <p>
        <strong>
          {answer.at === 'nowhere' ? 'No line is at fault.' : 'This function is at fault.'} Found with{' '}
          {formatCount(clicks, 'click')}.
        </strong>
      </p>
      <p className="verdict-sentence" data-testid="verdict-sentence">
        <Words text={verdict?.sentence ?? ''} />
      </p>
      {verdict?.note !== undefined && verdict.note !== '' && (
        <p className="small">
          <Words text={verdict.note} />
        </p>
      )}
      {answer.at === 'function' ? (
        <ol className="findings stack">
          <FindingRow
            finding={answer.finding}
            isFirst
            onShow={showOf(answer.finding.example, (example) => onShow(answer.device, example))}
          />
        </ol>
      ) : (
        <LessonLink mends={answer.diagnosis.verdict} />
      )}
      <p className="button-row no-print">
        {next && (
          <a className="button button-main button-small" href={addressOf(next.route)}>
            Profile {next.number}
          </a>
        )}
        <a className="small" href={addressOf({ page: 'trace', query: { recording } })}>
          All that the analysis says of it
        </a>
      </p>
    </div>
  )
}
