/** All questions in groups, and a search over them, the lessons and the glossary. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { questionIndex } from 'virtual:question-index'
import { addressOf, type RouteOf } from '../../state/url'
import { formatCount } from '../format'
import { useShell } from '../lab-context'
import { useTitle } from '../use-title'
import './question.css'

const groups = [...new Set(questionIndex.map(({ group }) => group))]

const loadResults = () => import('./SearchResults')
const SearchResults = lazy(async () => ({ default: (await loadResults()).SearchResults }))

/** Until the visitor pauses: browsers limit how often an address may change. */
const PAUSE_MS = 300

/**
 * What is searched for: as typed, and after a pause as the address has it, so that a link shows the
 * same.
 */
function useSearched({ query }: RouteOf<'questions'>) {
  const { route } = useShell()
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    if (typed === null) return undefined
    const timer = setTimeout(() => {
      route.replace({ page: 'questions', query: typed.trim() === '' ? {} : { q: typed } })
      setTyped(null)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [route, typed])
  return [typed ?? query['q'] ?? '', setTyped] as const
}

export const QuestionsPage = ({ route }: { readonly route: RouteOf<'questions'> }) => {
  useTitle('Questions')
  const [text, setText] = useSearched(route)
  const [count, setCount] = useState<number | null>(null)
  const results = useRef<HTMLDivElement>(null)
  const isSearched = text.trim() !== ''
  return (
    <article className="page question start stack-24">
      <header className="page-head stack-12">
        <h1>Why is my GPU idle? Questions and answers</h1>
        <p className="lead">
          Each has a short answer, a measured figure, and a place to measure it on your own machine.
        </p>
      </header>
      <form
        role="search"
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          results.current?.querySelector('a')?.focus()
        }}
      >
        <label className="stack-4 wide">
          <span>Search questions, lessons and words</span>
          <input
            type="search"
            className="question-search"
            placeholder=".item() is slow"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onFocus={() => void loadResults()}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      </form>
      <p className="small quiet" role="status">
        {isSearched &&
          count !== null &&
          (count === 0 ? 'Nothing found.' : `${formatCount(count, 'entry', 'entries')} found.`)}
      </p>
      {isSearched ? (
        <div ref={results}>
          <Suspense fallback={null}>
            <SearchResults text={text} onFound={setCount} />
          </Suspense>
        </div>
      ) : (
        <Groups />
      )}
    </article>
  )
}

const Groups = () => (
  <div className="question-groups stack wide">
    {groups.map((group, at) => (
      <section key={group} aria-labelledby={`group-${String(at)}`} className="top stack-12">
        <h2 id={`group-${String(at)}`}>{group}</h2>
        <ul className="stack-12">
          {questionIndex
            .filter((each) => each.group === group)
            .map(({ id, heading }) => (
              <li key={id}>
                <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
              </li>
            ))}
        </ul>
      </section>
    ))}
  </div>
)
