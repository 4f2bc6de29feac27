/**
 * Text that is typed over a selection is put in by the editor itself. Left to the browser, Chromium joins the lines that remain and copies
 * their computed style into style attributes, which the content security policy refuses, one report each.
 */
import { EditorView } from '@codemirror/view'

export const typedOver = EditorView.domEventHandlers({
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
