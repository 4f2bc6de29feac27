/** CodeMirror, put together for mends: a view in a shadow root, and what the page may ask of it. */
import { undo } from '@codemirror/commands'
import { javascriptLanguage } from '@codemirror/lang-javascript'
import { Prec, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { Problem } from '../../../../exercises/syntax'
import { editing, openView } from './editing'
import { wgsl } from './wgsl'

/** @internal */
export const LANGUAGES = { javascript: javascriptLanguage, wgsl } as const satisfies Readonly<
  Record<string, Extension>
>
export type Language = keyof typeof LANGUAGES

/**
 * Text that is typed over a selection is put in by the editor itself. Left to the browser, Chromium
 * joins the lines that remain and copies their computed style into style attributes, which the
 * content security policy refuses, one report each.
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

interface EditorEvents {
  readonly onChange: (text: string) => void
  readonly onRun: () => void
  /** What is wrong with the text's syntax, where it stood when typing paused. */
  readonly onSyntax: (problems: readonly Problem[]) => void
}

export type Editor = ReturnType<typeof createEditor>

/** A pause in typing after which the syntax is looked at. */
const SYNTAX_PAUSE_MS = 300

/** What stays at the edges of the window, as the page says: the caret is kept out from under it. */
function uncovered() {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  return {
    top: Number.parseFloat(scrollPaddingTop) || 0,
    bottom: Number.parseFloat(scrollPaddingBottom) || 0,
  }
}

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
          events.onSyntax(parsed.ok ? [] : [parsed.error])
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
      EditorView.updateListener.of(({ state, docChanged }) => {
        if (!docChanged) return
        checkSyntax()
        events.onChange(state.doc.toString())
      }),
    ],
  })
  checkSyntax()
  return {
    ...editor,
    undo: () => undo(view),
    focus: () => view.focus(),
    destroy: () => {
      clearTimeout(pause)
      editor.destroy()
    },
  }
}
