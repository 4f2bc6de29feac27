/** The lines of a lesson's program that are at fault, and those that mend them (vite/question-mends.ts), with the way to both. */
import type { QuestionMend } from 'virtual:question-mends'
import { addressOf, lessonRoute } from '../../state/url'
import { CodeText } from '../source/CodeView'

const SIGNS = {
  '-': { Line: 'del', shown: '−', said: 'At fault: ' },
  '+': { Line: 'ins', shown: '+', said: 'Mends it: ' },
  '': { Line: 'span', shown: '', said: '' },
} as const

const FIRST_RUNG = '1'

export const MendLines = ({
  lesson,
  mend: { title, fault, mended, lines },
}: {
  readonly lesson: string
  readonly mend: QuestionMend
}) => (
  <figure className="question-mend wide stack-12" aria-labelledby="question-mend">
    <figcaption className="stack-8">
      <h2 id="question-mend">{title}</h2>
      {/* Where one sentence is true of both, the lines say what differs. */}
      {fault === mended ? (
        <p className="small">{fault}</p>
      ) : (
        <ul className="small stack-4">
          <li className="question-fault">{fault}</li>
          <li className="question-mended">{mended}</li>
        </ul>
      )}
    </figcaption>
    <pre className="code">
      <code>
        {lines.map((row, at) => {
          if (!row)
            return (
              <span key={at} className="code-line quiet">
                <span className="code-number" />
                <span>{'⋯\n'}</span>
              </span>
            )
          const { Line, shown, said } = SIGNS[row.sign]
          return (
            <Line key={at} className="code-line">
              <span className="code-number" aria-hidden="true">
                {shown}
              </span>
              <CodeText line={row.line}>
                {said !== '' && <span className="visually-hidden">{said}</span>}
              </CodeText>
            </Line>
          )
        })}
      </code>
    </pre>
    <p className="button-row">
      <a className="button" href={addressOf(lessonRoute(lesson, 'mend', FIRST_RUNG))}>
        Run it, and mend it yourself
      </a>
    </p>
  </figure>
)
