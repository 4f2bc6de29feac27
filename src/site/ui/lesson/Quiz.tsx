/**
 * Why-questions, of which one is open. Every option answers back; once the right one is found, all
 * explanations are there to read.
 */
import { useContext, useId, useState, type ReactNode } from 'react'
import type { QuizItem } from '../../../lessons/lesson'
import { partsFor } from '../../../text/template'
import { Line, Prose, ReadingContext } from '../prose/Prose'
import { readingOfItem } from '../../../lessons/quiz-reading'
import type { Facts, Names } from '../../../text/facts'
import { originInWords } from '../run-words'

/** Names of the lesson's experiment, for the facts of a recording. */
export type NamesOf = (facts: Facts) => Names
export const namesNothing: NamesOf = () => ({})

interface OfItemProps {
  readonly item: QuizItem
  readonly names: NamesOf
  readonly children: ReactNode
}

/** Within it conditions and figures are of the run that the question is about. */
const OfItem = ({ item, names, children }: OfItemProps) => (
  <ReadingContext value={readingOfItem(item, useContext(ReadingContext), names)}>{children}</ReadingContext>
)

const ItemQuestion = ({ item: { question, premise } }: { readonly item: QuizItem }) => {
  const { facts } = useContext(ReadingContext)
  return (
    <>
      {premise && facts === premise.recorded.facts && (
        <span className="quiet">About the run recorded on {originInWords(premise.recorded)}: </span>
      )}
      <Line text={question} />
    </>
  )
}

interface QuizProps {
  readonly names: NamesOf
  readonly items: readonly QuizItem[]
  readonly answers: Readonly<Record<string, readonly number[]>>
  readonly onAnswer: (item: string, option: number) => void
}

const isSolved = ({ options }: QuizItem, tried: readonly number[]): boolean =>
  tried.some((index) => options[index]?.correct === true)

interface ItemProps {
  readonly item: QuizItem
  readonly number: number
  /** Of these one is open. */
  readonly group: string
  /** Open before any was pressed. */
  readonly isFirst: boolean
  readonly tried: readonly number[]
  readonly onAnswer: (option: number) => void
}

const Item = ({ item, number, group, isFirst, tried, onAnswer }: ItemProps) => {
  const id = useId()
  const reading = useContext(ReadingContext)
  const solved = isSolved(item, tried)
  const latest = tried.at(-1)
  return (
    <li className="quiz-item" aria-labelledby={id}>
      <details name={group} open={isFirst}>
        <summary id={id} className="quiz-question bold">
          <span>{solved ? '✓' : number}</span>
          <span>
            <ItemQuestion item={item} />
          </span>
        </summary>
        <ul className="quiz-options stack-6">
          {item.options.map((option, index) => {
            const isTried = tried.includes(index)
            const state = !isTried ? 'open' : option.correct ? 'right' : 'wrong'
            const explained = isTried || solved
            return (
              <li key={index} className={`quiz-option panel quiz-${state}`}>
                <button
                  type="button"
                  className="quiz-button stack-12 wide"
                  aria-disabled={solved || isTried}
                  onClick={() => {
                    if (!solved && !isTried) onAnswer(index)
                  }}
                >
                  <span className="quiz-mark" aria-hidden="true" />
                  <span>
                    <Line text={option.text} />
                  </span>
                  {isTried && (
                    <span className="quiz-said small bold nowrap">
                      {option.correct ? 'Right' : 'Not this one'}
                    </span>
                  )}
                </button>
                {explained && <Prose className="quiz-explanation quiet" text={option.explanation} />}
              </li>
            )
          })}
        </ul>
      </details>
      <p role="status" className="visually-hidden">
        {latest === undefined
          ? ''
          : `${item.options[latest]?.correct === true ? 'Right.' : 'Not this one.'} ${partsFor(item.options[latest]?.explanation ?? [], reading).join(' ')}`}
      </p>
    </li>
  )
}

export const Quiz = ({ items, names, answers, onAnswer }: QuizProps) => {
  const group = useId()
  const [first] = useState(
    () => items.find((item) => !isSolved(item, answers[item.id] ?? []))?.id ?? items[0]?.id,
  )
  return (
    <ol className="quiz stack-4" data-testid="quiz">
      {items.map((item, index) => (
        <OfItem key={item.id} item={item} names={names}>
          <Item
            item={item}
            number={index + 1}
            group={group}
            isFirst={item.id === first}
            tried={answers[item.id] ?? []}
            onAnswer={(option) => onAnswer(item.id, option)}
          />
        </OfItem>
      ))}
    </ol>
  )
}
