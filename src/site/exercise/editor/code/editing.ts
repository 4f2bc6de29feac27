/** What the editors of the site share: the state, and a view of it on a page. */
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState, StateEffect, StateField, type Extension, type TransactionSpec } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, ViewPlugin, type DecorationSet } from '@codemirror/view'
import type { Problem } from '../../../../exercises/syntax'
import { theme } from './theme'
import { tags } from '@lezer/highlight'

/**
 * The line that runs, lit as in the site's code listings. It stays with its line while the text
 * round it changes.
 */
const lit = StateEffect.define<number | null>()
const mark = Decoration.line({ class: 'cm-lit' })

/** `line` from 1; null, or a line that is not there: none is lit. */
function lightAt(state: EditorState, line: number | null): DecorationSet {
  if (line === null || line < 1 || line > state.doc.lines) return Decoration.none
  return Decoration.set(mark.range(state.doc.line(line).from))
}

const litLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { state, changes, effects }) => {
    const effect = effects.findLast((each) => each.is(lit))
    return effect ? lightAt(state, effect.value) : marks.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function lightLine(view: EditorView, line: number | null): void {
  view.dispatch({ effects: lit.of(line) })
  if (line === null || line < 1 || line > view.state.doc.lines) return
  // Within the editor's own scrolling box only: the page stays where it is.
  const { top, bottom } = view.lineBlockAt(view.state.doc.line(line).from)
  const { scrollDOM } = view
  const room = bottom - top
  if (top < scrollDOM.scrollTop) scrollDOM.scrollTop = top - room
  else if (bottom > scrollDOM.scrollTop + scrollDOM.clientHeight)
    scrollDOM.scrollTop = bottom + room - scrollDOM.clientHeight
}

/**
 * Lines that are too long, as in the site's code listings: further rows stand under the line's own
 * beginning.
 */
const INDENT = /^ */
/** No deeper, so that a phone keeps room for the text. In columns. */
const DEEPEST = 12

// CodeMirror sets it by `style.cssText`, which a content security policy allows.
const indented = (columns: number): Decoration =>
  Decoration.line({ attributes: { style: `--indent: ${String(columns + 2)}ch` } })

function decorate({ visibleRanges, state }: EditorView): DecorationSet {
  const marks = []
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      const columns = INDENT.exec(line.text)?.[0].length ?? 0
      if (columns > 0) marks.push(indented(Math.min(columns, DEEPEST)).range(line.from))
      at = line.to + 1
    }
  }
  return Decoration.set(marks)
}

const wrapping = ViewPlugin.define(
  (view) => ({
    marks: decorate(view),
    update({ view: now, docChanged, viewportChanged }) {
      if (docChanged || viewportChanged) this.marks = decorate(now)
    },
  }),
  { decorations: ({ marks }) => marks },
)

/**
 * Colours of tokens: those of the site's code listings (theme.css), which reach into the shadow
 * root as custom properties.
 */
const colour = (kind: string): { readonly color: string } => ({ color: `var(--code-token-${kind})` })

/** @internal */
export const listing = HighlightStyle.define([
  { tag: [tags.keyword, tags.operator, tags.modifier, tags.definitionOperator], ...colour('keyword') },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.escape], ...colour('string') },
  { tag: tags.comment, ...colour('comment') },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.self, tags.constant(tags.variableName)],
    ...colour('constant'),
  },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    ...colour('function'),
  },
  { tag: tags.separator, ...colour('punctuation') },
])

/** A place that is no longer there is moved to the nearest one that is. */
function toDiagnostic({ doc }: EditorState, problem: Problem): Diagnostic {
  const { severity, message } = problem
  const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines))
  const inLine = (column: number): number => line.from + Math.min(Math.max(column, 0), line.length)
  const start = inLine(problem.column)
  const from = start + (/^\s*/.exec(doc.sliceString(start, line.to))?.[0].length ?? 0)
  const word = /^(?:[\p{ID_Continue}$]+|\S)/u.exec(doc.sliceString(from, line.to))?.[0].length ?? 0
  const to = problem.endColumn === undefined ? from + word : Math.max(from, inLine(problem.endColumn))
  // At the end of a line there is nothing to underline but what stands before.
  return { from: to > from ? from : Math.max(line.from, from - 1), to, severity, message }
}

/** @internal Marks, which move with the text. */
export const markProblems = (state: EditorState, problems: readonly Problem[]): TransactionSpec =>
  setDiagnostics(
    state,
    problems.map((problem) => toDiagnostic(state, problem)),
  )

/** @param indent spaces */
export const editing = (language: Extension, indent = 2): Extension => [
  history(),
  indentUnit.of(' '.repeat(indent)),
  EditorState.tabSize.of(indent),
  language,
  indentOnInput(),
  bracketMatching(),
  syntaxHighlighting(listing),
  litLine,
  // Tab is not bound: it leaves the editor, as everywhere on the page. Mod-[ and Mod-] indent.
  keymap.of([...lintKeymap, ...defaultKeymap, ...historyKeymap]),
]

/** @internal One step of its own in the history: undo brings back what was there. */
export const replacement = ({ doc }: EditorState, text: string): TransactionSpec => ({
  changes: { from: 0, to: doc.length, insert: text },
  annotations: isolateHistory.of('full'),
})

interface ViewOptions {
  readonly text: string
  readonly label: string
  /** What `editing` makes of the language. */
  readonly state: Extension
  readonly more: Extension
}

/** An editor in the shadow root of an element, and what the page may ask of it. */
export function openView(parent: HTMLElement, { text, label, state, more }: ViewOptions) {
  // A shadow root stays with its element: React's strict mode mounts twice.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      lineNumbers(),
      state,
      EditorView.lineWrapping,
      wrapping,
      theme,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      more,
    ],
  })
  // Outside the shadow root an event comes from its host, which no shortcut of the page takes for a
  // field: typing would be eaten.
  const keepKey = (event: Event) => event.stopPropagation()
  root.addEventListener('keydown', keepKey)
  return {
    view,
    text: () => view.state.doc.toString(),
    replaceText: (next: string) => view.dispatch(replacement(view.state, next)),
    setProblems: (problems: readonly Problem[]) => view.dispatch(markProblems(view.state, problems)),
    /** Null: none. */
    setLitLine: (line: number | null) => lightLine(view, line),
    /** `line` from 1, `column` from 0. */
    goTo: (line: number, column: number) => {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
      const anchor = Math.min(at.from + Math.max(column, 0), at.to)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    destroy: () => {
      root.removeEventListener('keydown', keepKey)
      view.destroy()
    },
  }
}
