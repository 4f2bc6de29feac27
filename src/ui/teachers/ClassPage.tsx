/** What a class handed in, pasted by its teacher: a table that flags what is wrong, a file of it, and a histogram. All of it stays on the page. */
import { Suspense, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import { addressOf } from '../../state/url'
import { assignmentNumber } from '../../teaching/assignment'
import {
  classCsv,
  flagInWords,
  MAX_LINES,
  readClass,
  soundRows,
  type ClassResults,
  type Row,
} from '../../teaching/class-results'
import type { Completion } from '../../teaching/completion-code'
import { formatFigures, withUnit } from '../format'
import { saveFile } from '../save-file'
import { useTitle } from '../use-title'
import { ClassChart } from './ClassChart'
import { GROUPS } from './histogram'
import { loadAssignment } from './load-assignment'
import './teachers.css'

const OUTCOMES: Readonly<Record<Completion['outcome'], string>> = {
  none: 'not run',
  shown: 'shown',
  'not-shown': 'not shown',
  inconclusive: 'not decided',
  invalid: 'does not count',
}
const MENDED: Readonly<Record<Completion['mended'], string>> = {
  none: '–',
  failed: 'not yet',
  mended: 'mended',
  untold: 'cannot tell',
}

const Line = ({ row }: { readonly row: Row }) => {
  const { line, completion, predicted, measured, unit, flags } = row
  const figure = (value: number | null) => (value === null ? '–' : withUnit(formatFigures(value), unit))
  const own = completion?.measured
  const name = completion?.name ?? ''
  const bound = own ? ` (${formatFigures(own.low)} to ${formatFigures(own.high)})` : ''
  return (
    <tr data-line={line} data-flagged={flags.length > 0}>
      <td>{line}</td>
      <th scope="row">{name === '' ? '–' : name}</th>
      <td>{completion?.predicted === 'skipped' ? 'skipped' : figure(predicted)}</td>
      <td>
        {own ? withUnit(formatFigures(own.value), unit) + bound : figure(measured)}
        {completion && <span className="small quiet"> {OUTCOMES[completion.outcome]}</span>}
      </td>
      <td>{completion ? (GROUPS.find(({ id }) => id === completion.adapter)?.label ?? '') : ''}</td>
      <td>{completion ? MENDED[completion.mended] : ''}</td>
      <td>{completion ? `${String(completion.done)} of ${String(completion.asked)}` : ''}</td>
      <td>{completion?.day ?? ''}</td>
      <td className="class-flags">{flags.map(flagInWords).join('; ')}</td>
    </tr>
  )
}

const Table = ({ results }: { readonly results: ClassResults }) => (
  // On a narrow page it scrolls sideways, which must be possible by keyboard too.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="table-scroll" tabIndex={0} role="region" aria-label="The lines">
    <table className="figure-table class-table" data-testid="class-table">
      <thead>
        <tr>
          {['Line', 'Name', 'Predicted', 'Measured', 'On', 'Mend', 'Done', 'Day', 'To look at'].map(
            (name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {results.rows.map((row) => (
          <Line key={row.line} row={row} />
        ))}
      </tbody>
    </table>
  </div>
)

const Results = ({ results }: { readonly results: ClassResults }) => {
  const { rows, lesson, leftOver } = results
  const title = lessonIndex.find(({ id }) => id === lesson)?.title
  const sound = soundRows(results).length
  return (
    <section className="class-results" aria-labelledby="class-results">
      <h2 id="class-results">{title ?? 'The numbers'}</h2>
      <p role="status">
        {String(sound)} of {String(rows.length)} lines count.{' '}
        {sound < rows.length && 'Those to look at are left out of the chart and the medians. '}
        {leftOver > 0 && `${String(leftOver)} lines beyond ${String(MAX_LINES)} were not read.`}
      </p>
      <Suspense fallback={<p className="quiet">Loading the chart.</p>}>
        <ClassChart results={results} />
      </Suspense>
      <Table results={results} />
      <div className="button-row no-print">
        <button
          type="button"
          className="button"
          onClick={() => {
            saveFile(`${lesson ?? 'class'}-results.csv`, [classCsv(results)], 'text/csv')
          }}
        >
          Save as CSV
        </button>
      </div>
    </section>
  )
}

/** Of the assignment with this link; a sentence where it is none. Null and '' while nothing is typed or read. */
function useAssignmentNumber(link: string): { readonly number: number | null; readonly fault: string } {
  const [read, setRead] = useState<{
    readonly link: string
    readonly number: number | null
    readonly fault: string
  }>()
  useEffect(() => {
    if (link.trim() === '') return undefined
    let isWanted = true
    const answer = (number: number | null, fault: string) => {
      if (isWanted) setRead({ link, number, fault })
    }
    loadAssignment(link).then(
      (result) => {
        if (result.ok) answer(assignmentNumber(result.value), '')
        else answer(null, result.error.message)
      },
      (thrown: unknown) => {
        answer(null, thrown instanceof Error ? thrown.message : String(thrown))
      },
    )
    return () => {
      isWanted = false
    }
  }, [link])
  return read?.link === link ? read : { number: null, fault: '' }
}

const IDS = lessonIndex.map(({ id }) => id)

export const ClassPage = () => {
  useTitle('Results of a class')
  const id = useId()
  const [text, setText] = useState('')
  const [link, setLink] = useState('')
  const { number, fault } = useAssignmentNumber(link)
  const pasted = useDeferredValue(text)
  const results = useMemo(() => readClass(pasted, { lessons: IDS, assignment: number }), [pasted, number])
  return (
    <article className="page teachers">
      <header className="page-head">
        <h1>Results of a class</h1>
        <p className="lead">
          Paste the completion codes of your class, one a line. They are read on this page and sent nowhere.
        </p>
      </header>
      <form
        className="class-form no-print"
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        <label htmlFor={`${id}-codes`}>Codes, or numbers with their unit</label>
        <textarea
          id={`${id}-codes`}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-describedby={`${id}-help`}
          onChange={(event) => {
            setText(event.target.value)
          }}
        />
        <p id={`${id}-help`} className="small quiet">
          A line may also be two plain numbers, predicted and measured: <code>75 %; 9.1 %</code>, or one that
          was measured: <code>9.1 %</code>.
        </p>
        <label htmlFor={`${id}-link`}>
          The link of your assignment, to tell its codes from others (if you like)
        </label>
        <input
          id={`${id}-link`}
          type="text"
          autoComplete="off"
          value={link}
          aria-describedby={`${id}-link-said`}
          onChange={(event) => {
            setLink(event.target.value)
          }}
        />
        <p id={`${id}-link-said`} role="status" className="small">
          {fault}
        </p>
      </form>
      {results.rows.length > 0 && <Results results={results} />}
      <section aria-labelledby={`${id}-what`} className="prose">
        <h2 id={`${id}-what`}>What a code can tell</h2>
        <p>
          Each code has a check sum: a wrong, missing or exchanged character is found. It tells which
          assignment it is of, and a name or a code that comes twice is flagged.
        </p>
        <p>
          It is no proof. What stands in it was measured in the learner’s browser and signed by nobody, so
          that whoever wants to can write one. To see a run itself, ask for its link or its file: ‘Share’ in a
          lesson.
        </p>
        <p className="no-print">
          <a href={addressOf({ page: 'teachers', id: null })}>For teachers</a>
        </p>
      </section>
    </article>
  )
}
