/** One row a finding: a switch that takes its cause out of the step, and what that gains alone. */
import type { Finding } from '../../../analysis/findings'
import { durationText } from '../../../base/figures'
import { Words } from '../../ui/verdict/Words'
import { factor } from './StepFigures'

export interface CauseSwitchesProps {
  readonly findings: readonly Finding[]
  readonly isPage: boolean
  readonly nowNs: number
  readonly off: readonly string[]
  readonly onTurn: (cause: string, isOff: boolean) => void
}

export const CauseSwitches = ({ findings, isPage, nowNs, off, onTurn }: CauseSwitchesProps) => (
  <ul className="cause-switches stack" aria-label="Causes to switch off">
    {findings.map(({ cause: of, what, title, without }) => {
      // A page has a finding for each kind of call, a profile one for all code of the host.
      const cause = isPage && of === 'host-code' ? `${of}:${what}` : of
      const isOff = off.includes(cause)
      const savedNs = without ? nowNs - 1e3 * without.stepUs : 0
      return (
        <li key={cause}>
          <label className="cause-switch row" data-cause={cause}>
            <input
              type="checkbox"
              role="switch"
              checked={!isOff}
              aria-checked={!isOff}
              onChange={(event) => onTurn(cause, !event.target.checked)}
            />
            <span>
              <span className="cause-title">{title}</span>
              {without && (
                <span className="block small quiet tabular">
                  <Words
                    text={
                      without.gain > 1
                        ? `alone saves ${durationText(savedNs)}, ${factor(without.gain)}`
                        : 'alone saves nothing'
                    }
                  />
                </span>
              )}
            </span>
          </label>
        </li>
      )
    })}
  </ul>
)
