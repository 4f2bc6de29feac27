/** What a learner must know of their code before they go on: the last run killed the tab, another tab has another text, the start is new. */
import type { MendCode } from '../../state/mend-code'
import { ELSEWHERE, KILLED, START_CHANGED } from './saving-words'

export interface CodeNoticesProps {
  readonly code: Pick<MendCode, 'elsewhere' | 'lastRunKilledTheTab' | 'startChanged'>
  readonly onDismiss: () => void
  readonly onTakeElsewhere: () => void
  readonly onKeepMine: () => void
}

export const CodeNotices = ({
  code: { elsewhere, lastRunKilledTheTab, startChanged },
  onDismiss,
  onTakeElsewhere,
  onKeepMine,
}: CodeNoticesProps) => (
  <>
    {lastRunKilledTheTab && (
      <div className="notice notice-warn" role="status">
        <p>{KILLED}</p>
        <div className="button-row">
          <button type="button" className="button button-small" onClick={onDismiss}>
            Close this note
          </button>
        </div>
      </div>
    )}
    {elsewhere && (
      <div className="notice notice-warn" role="status">
        <p>{ELSEWHERE}</p>
        <div className="button-row">
          <button type="button" className="button button-small" onClick={onTakeElsewhere}>
            Take the other text
          </button>
          <button type="button" className="button button-small" onClick={onKeepMine}>
            Keep this one
          </button>
        </div>
      </div>
    )}
    {startChanged && (
      <p className="small quiet" role="status">
        {START_CHANGED}
      </p>
    )}
  </>
)
