/**
 * The editor's state without a page: changes from outside are undone, problems move with the text,
 * brackets indent.
 */
import { redo, undo, undoDepth } from '@codemirror/commands'
import { getIndentation } from '@codemirror/language'
import { forEachDiagnostic } from '@codemirror/lint'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editing, markProblems, replacement } from './editing'
import { LANGUAGES, type Language } from './editor'
import { parsed } from './testing/parsed'
import type { Problem } from '../../../../exercises/syntax'
import { forAll } from '../../../../testing/for-all'

const stateOf = (doc: string, language: Language = 'javascript'): EditorState =>
  EditorState.create({ doc, extensions: editing(LANGUAGES[language]) })
const text = (state: EditorState): string => state.doc.toString()
const apply = (state: EditorState, ...specs: readonly TransactionSpec[]): EditorState =>
  state.update(...specs).state
const typed = (state: EditorState, at: number, insert: string): EditorState =>
  apply(state, { changes: { from: at, insert }, userEvent: 'input.type' })
function does(command: typeof undo, state: EditorState): EditorState {
  let after = state
  command({
    state,
    dispatch: (transaction) => (after = transaction.state),
  })
  return after
}

describe('a text from outside', () => {
  it('is one step of its own: undo brings the learner’s text back, redo takes it again', () => {
    let state = typed(stateOf('start'), 5, 'ed')
    state = typed(state, 7, '!')
    state = apply(state, replacement(state, 'start'))
    expect(text(state)).toBe('start')
    state = does(undo, state)
    expect(text(state)).toBe('started!')
    state = does(redo, state)
    expect(text(state)).toBe('start')
    state = typed(state, 0, 're')
    state = does(undo, does(undo, state))
    expect(text(state)).toBe('started!')
  })
})

describe('problems', () => {
  const at = (line: number, column: number, message: string): Problem => ({
    line,
    column,
    message,
    severity: 'error',
  })
  const marked = (state: EditorState) => {
    const found: string[] = []
    forEachDiagnostic(state, ({ message }, from, to) =>
      found.push(`${message} ${String(from)} ${String(to)}`),
    )
    return found
  }

  it('underline a word, and move with the text', () => {
    let state = stateOf('one\ntwo three\nfour')
    state = apply(state, markProblems(state, [at(2, 4, 'wrong')]))
    expect(marked(state)).toEqual(['wrong 8 13'])
    state = typed(state, 0, 'zero\n')
    expect(marked(state)).toEqual(['wrong 13 18'])
  })

  it('outside the text are marked at its nearest place', () =>
    forAll(
      fc.string({ maxLength: 20 }),
      fc.integer(),
      fc.integer(),
      fc.integer(),
      (doc, line, column, end) => {
        const state = stateOf(doc)
        const problem = { ...at(line, column, 'm'), endColumn: end }
        expect(marked(apply(state, markProblems(state, [problem])))).toHaveLength(1)
      },
    ))
})

describe('the next line', () =>
  it.each([
    ['javascript', 'for (const a of b) {\n', 2],
    ['javascript', 'if (a) {\n  f(\n', 4],
    ['wgsl', 'fn main() {\n', 2],
    ['wgsl', 'fn main() {\n  for (var i = 0u; i < 4; i += 1u) {\n', 4],
    ['wgsl', 'fn main() {\n  let m = mat4x4f(vec4f(\n', 4],
    ['wgsl', 'fn main() {\n  // { in words\n', 2],
    ['wgsl', 'fn main() {\n}', 0],
    ['wgsl', '/* {\n{ */\n', 0],
  ] as const)('%s %j is indented by %i', (language, doc, columns) => {
    const state = parsed(stateOf(doc, language))
    expect(getIndentation(state, state.doc.line(state.doc.lines).from)).toBe(columns)
  }))

it('has nothing to undo at first', () => expect(undoDepth(stateOf('a'))).toBe(0))
