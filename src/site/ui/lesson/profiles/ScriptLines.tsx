/**
 * A script whose lines are buttons. By keyboard it is one stop: arrows, Home and End go from line to line, Enter presses. Its docstring
 * is left out, which says what the script is for; the numbers are those of the file.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { docstringLines, MODULE, NOWHERE, placeAt, type ScriptFunction } from '../../../../lessons/script'
import type { Find } from '../../../state/lesson-store'
import { textOf, type HighlightedLines } from '../../source/lines'

/** The scripts mark their faults for whoever reads the files, `# fault: read`; whoever looks for them is shown none. */
const MARK = / *# fault: [\w-]+$/

export const withoutFaultMarks = (lines: HighlightedLines): HighlightedLines =>
  lines.map((line) =>
    line.some((token) => MARK.test(typeof token === 'string' ? token : token[0]))
      ? line.flatMap((token) => {
          const text = typeof token === 'string' ? token : token[0]
          const kept = text.replace(MARK, '')
          return kept === '' ? [] : [typeof token === 'string' ? kept : ([kept, token[1]] as const)]
        })
      : line,
  )

interface Press {
  readonly line: number
  readonly place: string
}

export interface ScriptLinesProps {
  readonly script: string
  readonly lines: HighlightedLines
  readonly functions: readonly ScriptFunction[]
  readonly find: Find
  /** Line 0: 'No line is at fault'. */
  readonly pressed: Press | null
  readonly onPress: (line: number) => void
  readonly feedback: (pressed: Press) => ReactNode
}

type Mark = 'open' | 'wrong' | 'right'
const MARK_WORDS = { open: '', wrong: ', tried', right: ', at fault' } as const

/** Of a press on a place that was tried before, or found. */
const markOf = ({ clicks, found }: Find, place: string): Mark =>
  !clicks.includes(place) ? 'open' : found && clicks.at(-1) === place ? 'right' : 'wrong'

export const ScriptLines = (props: ScriptLinesProps) => {
  const { script, lines, functions, find, pressed, onPress, feedback } = props
  const texts = lines.map((line) => textOf([line]))
  const skipped = docstringLines(texts)
  const numbers = texts.flatMap((text, index) => (index >= skipped && text.trim() !== '' ? [index + 1] : []))
  // What comes before the functions sets up the run.
  const start = numbers.find((number) => placeAt(functions, number) !== MODULE) ?? numbers[0] ?? 0
  const [active, setActive] = useState(
    pressed?.line === undefined || pressed.line === 0 ? start : pressed.line,
  )
  const list = useRef<HTMLOListElement>(null)
  const status = useRef<HTMLParagraphElement>(null)

  // In view at first, also what was found before; within the box, the page stays where it is.
  const first = useRef(pressed)
  const shownFirst = useRef(active)
  useEffect(() => {
    const box = list.current
    const line = box?.querySelector<HTMLElement>(`[data-line='${String(shownFirst.current)}']`)
    if (box && line) box.scrollTop = line.offsetTop - box.clientHeight / 8
  }, [])
  // The words of the answer, for whoever hears them.
  useEffect(() => {
    const answer = list.current?.closest('.find-script')?.querySelector('.find-answer')
    if (status.current) status.current.textContent = pressed ? (answer?.textContent ?? '') : ''
  }, [pressed])
  // An answer at the lower end of the box is brought into it, with its line.
  useEffect(() => {
    const box = list.current
    const item = box?.querySelector('.find-answer')?.closest('li')
    if (!box || !item || pressed === first.current) return
    const below = item.offsetTop + item.offsetHeight - (box.scrollTop + box.clientHeight)
    if (below > 0) box.scrollTop = Math.min(item.offsetTop, box.scrollTop + below)
    item.querySelector('.find-answer')?.scrollIntoView({ block: 'nearest' })
  }, [pressed])

  const goTo = (line: number | undefined) => {
    if (line === undefined) return
    setActive(line)
    const button = list.current?.querySelector<HTMLElement>(`[data-line='${String(line)}']`)
    button?.focus({ preventScroll: true })
    button?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = numbers.indexOf(active)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: numbers.length - 1 }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    goTo(numbers[to])
  }
  const nowhere = markOf(find, NOWHERE)
  const answerAt = (line: number) => (pressed?.line === line ? feedback(pressed) : null)
  return (
    <>
      <button type="button" className={`find-none panel find-${nowhere}`} onClick={() => onPress(0)}>
        No line is at fault<span className="visually-hidden">{MARK_WORDS[nowhere]}</span>
      </button>
      {answerAt(0)}
      <div className="code-view panel shrinks">
        <p className="code-head row split quiet small" id="script-name">
          {script}
        </p>
        {/* Arrows move between the buttons in it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ol ref={list} className="script-lines" aria-labelledby="script-name" onKeyDown={onKeyDown}>
          {lines.map((line, index) => {
            const number = index + 1
            if (index < skipped) return null
            if (!numbers.includes(number))
              return <li key={number} className="script-blank" aria-hidden="true" />
            const mark = markOf(find, placeAt(functions, number))
            return (
              <li key={number}>
                <button
                  type="button"
                  className={`script-line stack wide find-${mark}`}
                  data-line={number}
                  tabIndex={number === active ? 0 : -1}
                  onClick={() => {
                    setActive(number)
                    onPress(number)
                  }}
                >
                  <span className="code-number">{number}</span>
                  <span className="script-text breaks">
                    {line.map((token, at) =>
                      typeof token === 'string' ? (
                        token
                      ) : (
                        <span key={at} className={`token-${token[1]}`}>
                          {token[0]}
                        </span>
                      ),
                    )}
                  </span>
                  <span className="visually-hidden">{MARK_WORDS[mark]}</span>
                </button>
                {answerAt(number)}
              </li>
            )
          })}
        </ol>
      </div>
      <p ref={status} role="status" className="visually-hidden" />
    </>
  )
}
