/** What is wrong with the program, for all who cannot hover over a mark: each sentence leads to its line. */
import type { Problem } from '../../../exercises/problem'
import { SaidAtRest } from '../../ui/SaidAtRest'
import { Button } from '../../ui/Button'

/** Announced once typing has paused: half a word is nearly always a syntax error. */
const ANNOUNCED_AFTER_MS = 1500

export interface ProblemListProps {
  readonly problems: readonly Problem[]
  readonly onGoTo: (problem: Problem) => void
}

export const ProblemList = ({ problems, onGoTo }: ProblemListProps) => {
  const sentences = problems.map(({ line, message }) => `Line ${String(line)}: ${message}`)
  return (
    <>
      <SaidAtRest text={sentences.join(' ')} restMs={ANNOUNCED_AFTER_MS} />
      {problems.length > 0 && (
        <ul className="editor-problems small stack-4" aria-label="Problems in the program">
          {problems.map((problem, at) => (
            <li key={at} className={`editor-problem editor-problem-${problem.severity}`}>
              <Button look="link" onClick={() => onGoTo(problem)}>
                Line {problem.line}
              </Button>
              {': '}
              {problem.message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
