/**
 * What is found among questions, lessons and words: a chunk of its own, since it holds their texts.
 */
import { useEffect, useMemo } from 'react'
import { searchIndex } from 'virtual:search-index'
import { search, type Entry } from '../../state/search'
import { addressOf, lessonRoute } from '../../state/url'
import { Inline } from '../prose/Inline'

const KINDS: Readonly<Record<Entry['kind'], string>> = {
  question: 'Question',
  lesson: 'Lesson',
  word: 'Word',
}

const Result = ({ kind, id, title, shown, more }: Entry) => (
  <li className="stack-2">
    {kind === 'word' ? (
      <strong>{title}</strong>
    ) : (
      <a href={addressOf(kind === 'lesson' ? lessonRoute(id) : { page: 'question', slug: id })}>{title}</a>
    )}
    <span className="small quiet">
      {KINDS[kind]}: <Inline text={kind === 'word' ? `${shown} ${more}` : shown} />
    </span>
  </li>
)

interface SearchResultsProps {
  readonly text: string
  readonly onFound: (count: number) => void
}

export const SearchResults = ({ text, onFound }: SearchResultsProps) => {
  const found = useMemo(() => search(searchIndex, text), [text])
  useEffect(() => {
    onFound(found.length)
  }, [found, onFound])
  return (
    <ol className="question-found stack-16">
      {found.map((entry) => (
        <Result key={`${entry.kind} ${entry.id}`} {...entry} />
      ))}
    </ol>
  )
}
