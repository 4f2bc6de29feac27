/** Why-questions. Every option answers back; once the right one is found, all explanations are there to read. */
import { useContext, useId } from 'react'
import type { QuizItem } from '../../lessons/lesson'
import { wordsFor } from '../../words/passage'
import { Line, Prose, ReadingContext } from '../prose/Prose'
import { ItemQuestion, OfItem, type NamesOf } from './quiz-item'

interface QuizProps {
  readonly names: NamesOf
  readonly items: readonly QuizItem[]
  readonly answers: Readonly<Record<string, readonly number[]>>
  readonly onAnswer: (item: string, option: number) => void
}

const Item = ({
  item,
  number,
  tried,
  onAnswer,
}: {
  readonly item: QuizItem
  readonly number: number
  readonly tried: readonly number[]
  readonly onAnswer: (option: number) => void
}) => {
  const id = useId()
  const reading = useContext(ReadingContext)
  const solved = tried.some((index) => item.options[index]?.correct === true)
  const latest = tried.at(-1)
  return (
    <li className="quiz-item" aria-labelledby={id}>
      <p id={id} className="quiz-question">
        <span className="quiz-number">{number}</span>
        <span>
          <ItemQuestion item={item} />
        </span>
      </p>
      <ul className="quiz-options">
        {item.options.map((option, index) => {
          const isTried = tried.includes(index)
          const state = !isTried ? 'open' : option.correct ? 'right' : 'wrong'
          const explained = isTried || solved
          return (
            <li key={index} className={`quiz-option quiz-${state}`}>
              <button
                type="button"
                className="quiz-button"
                aria-disabled={solved || isTried}
                onClick={() => {
                  if (!solved && !isTried) onAnswer(index)
                }}
              >
                <span className="quiz-mark" aria-hidden="true" />
                <span>
                  <Line text={option.text} />
                </span>
                {isTried && <span className="quiz-said">{option.correct ? 'Right' : 'Not this one'}</span>}
              </button>
              {explained && <Prose className="quiz-explanation" text={option.explanation} />}
            </li>
          )
        })}
      </ul>
      <p role="status" className="visually-hidden">
        {latest === undefined
          ? ''
          : `${item.options[latest]?.correct === true ? 'Right.' : 'Not this one.'} ${wordsFor(item.options[latest]?.explanation ?? [], reading).join(' ')}`}
      </p>
    </li>
  )
}

export const Quiz = ({ items, names, answers, onAnswer }: QuizProps) => (
  <ol className="quiz" data-testid="quiz">
    {items.map((item, index) => (
      <OfItem key={item.id} item={item} names={names}>
        <Item
          item={item}
          number={index + 1}
          tried={answers[item.id] ?? []}
          onAnswer={(option) => {
            onAnswer(item.id, option)
          }}
        />
      </OfItem>
    ))}
  </ol>
)
