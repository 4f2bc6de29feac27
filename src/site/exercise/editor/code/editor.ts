/** CodeMirror, put together for mends: a view in a shadow root, and what the page may ask of it. */
import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { diagnosticCount, setDiagnosticsEffect } from '@codemirror/lint'
import { Prec, type Extension } from '@codemirror/state'
import { EditorView, keymap, showPanel } from '@codemirror/view'
import type { Problem } from '../../../../exercises/syntax'
import { editing, openView } from './editing'
import { markProblems, problemsIn } from './problem-marks'
import { wgsl } from './wgsl'
import { javascriptLanguage } from '@codemirror/lang-javascript'
import { styleTags, tags } from '@lezer/highlight'

/** JavaScript for the editor. Colours go by what the site's code listings do: an object before its member, a name where it is declared. */
const constant = tags.constant(tags.variableName)

const javascript = javascriptLanguage.configure({
  props: [
    styleTags({
      'VariableDeclaration/VariableDefinition': constant,
      'VariableDeclaration/ArrayPattern/VariableDefinition': constant,
      'VariableDeclaration/ObjectPattern/PatternProperty/VariableDefinition': constant,
      'ForOfSpec/VariableDefinition': constant,
      'MemberExpression/VariableName': constant,
      'MemberExpression/MemberExpression/PropertyName': constant,
      'Property/PropertyDefinition': tags.variableName,
      'NewExpression/VariableName': tags.function(tags.variableName),
      'InterpolationStart InterpolationEnd': tags.operator,
      Arrow: tags.operator,
      'get set async static': tags.keyword,
    }),
  ],
})

/** @internal */
export const LANGUAGES = { javascript, wgsl } as const satisfies Readonly<Record<string, Extension>>
export type Language = keyof typeof LANGUAGES

/**
 * Text that is typed over a selection is put in by the editor itself. Left to the browser, Chromium joins the lines that remain and copies
 * their computed style into style attributes, which the content security policy refuses, one report each.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event
    // A composition cannot be prevented: it stays the browser's.
    if (inputType !== 'insertText' || data === null || isComposing || view.composing) return false
    if (view.state.readOnly || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' })
    return true
  },
})

export interface EditorHistory {
  readonly canUndo: boolean
  readonly canRedo: boolean
}

interface EditorEvents {
  readonly onChange: (text: string) => void
  readonly onRun: () => void
  readonly onHistory: (history: EditorHistory) => void
  /** Problems of the syntax, where they now stand. Those that were passed in are the caller's to tell. */
  readonly onProblems: (problems: readonly Problem[]) => void
}

export type Editor = ReturnType<typeof createEditor>

/** A pause in typing after which the syntax is looked at. */
const SYNTAX_PAUSE_MS = 300
const KEYS_ID = 'keys'

/** What stays at the edges of the window, as the page says: the caret is kept out from under it. */
function uncovered() {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  return {
    top: Number.parseFloat(scrollPaddingTop) || 0,
    bottom: Number.parseFloat(scrollPaddingBottom) || 0,
  }
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

const keys = showPanel.of(() => {
  const dom = document.createElement('p')
  dom.className = 'cm-keys'
  dom.id = KEYS_ID
  const [mod, alt] = isMac() ? ['⌘', '⌥'] : ['Ctrl', 'Alt']
  dom.textContent = `${mod} Enter runs the program. Tab leaves; ${mod} ] indents; ${alt} ↑ ↓ moves a line. F8: next problem.`
  return { dom }
})

export function createEditor(
  parent: HTMLElement,
  language: Language,
  { text, label }: { readonly text: string; readonly label: string },
  events: EditorEvents,
) {
  let pause: ReturnType<typeof setTimeout> | undefined

  const checkSyntax = () => {
    clearTimeout(pause)
    if (language !== 'javascript') return
    pause = setTimeout(() => {
      // Loaded after the editor, and with the grader: acorn is as large.
      import('../../../../exercises/syntax').then(
        ({ parseProgram }) => {
          const parsed = parseProgram(editor.text())
          view.dispatch(markProblems(view.state, parsed.ok ? [] : [parsed.error], 'syntax'))
        },
        () => undefined, // Without acorn the marks are missing; a run still reports what is wrong.
      )
    }, SYNTAX_PAUSE_MS)
  }

  const runs = () => {
    events.onRun()
    return true
  }
  const { view, ...editor } = openView(parent, {
    text,
    label,
    state: editing(LANGUAGES[language]),
    more: [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: runs }])),
      EditorView.scrollMargins.of(uncovered),
      typedOver,
      keys,
      EditorView.contentAttributes.of({ 'aria-describedby': KEYS_ID }),
      EditorView.updateListener.of(({ state, startState, transactions, docChanged }) => {
        const isMarked = transactions.some(({ effects }) =>
          effects.some((each) => each.is(setDiagnosticsEffect)),
        )
        if (isMarked || (docChanged && diagnosticCount(state) > 0))
          events.onProblems(problemsIn(state, 'syntax'))
        if (undoDepth(state) !== undoDepth(startState) || redoDepth(state) !== redoDepth(startState))
          events.onHistory({ canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 })
        if (!docChanged) return
        checkSyntax()
        events.onChange(state.doc.toString())
      }),
    ],
  })
  checkSyntax()
  events.onHistory({ canUndo: false, canRedo: false })
  return {
    ...editor,
    undo: () => undo(view),
    redo: () => redo(view),
    focus: () => view.focus(),
    destroy: () => {
      clearTimeout(pause)
      editor.destroy()
    },
  }
}
