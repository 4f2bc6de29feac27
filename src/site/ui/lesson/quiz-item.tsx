/** Which run a question is about: the one on the page, or the recorded one where its premise does not hold there. */
import { useContext, type ReactNode } from 'react'
import type { QuizItem } from '../../../lessons/lesson'
import { readingOfItem } from '../../../lessons/quiz-reading'
import type { Facts, Names } from '../../../text/facts'
import { Line, ReadingContext } from '../prose/Prose'
import { originInWords } from '../run-words'

/** Names of the lesson's experiment, for the facts of a recording. */
export type NamesOf = (facts: Facts) => Names
export const namesNothing: NamesOf = () => ({})

/** Within it conditions and figures are of the run that the question is about. */
export const OfItem = ({
  item,
  names,
  children,
}: {
  readonly item: QuizItem
  readonly names: NamesOf
  readonly children: ReactNode
}) => (
  <ReadingContext value={readingOfItem(item, useContext(ReadingContext), names)}>{children}</ReadingContext>
)

export const ItemQuestion = ({ item: { question, premise } }: { readonly item: QuizItem }) => {
  const { facts } = useContext(ReadingContext)
  return (
    <>
      {premise && facts === premise.recorded.facts && (
        <span className="quiet">Of the run recorded on {originInWords(premise.recorded)}: </span>
      )}
      <Line text={question} />
    </>
  )
}
