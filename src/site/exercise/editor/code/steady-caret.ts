/** A caret that does not blink, for those who asked their system for less motion. The selection stays the browser's own. */
import type { Extension } from '@codemirror/state'
import { EditorView, layer, RectangleMarker } from '@codemirror/view'

const ownCaret: Extension = [
  layer({
    above: true,
    class: 'cm-steady-carets',
    markers: (view) =>
      view.hasFocus && view.state.selection.main.empty
        ? RectangleMarker.forRange(view, 'cm-steady-caret', view.state.selection.main)
        : [],
    update: (update) =>
      update.docChanged || update.selectionSet || update.focusChanged || update.geometryChanged,
  }),
  EditorView.theme({ '& .cm-content.cm-content': { caretColor: 'transparent' } }),
]

export const steadyCaret = (): Extension =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? ownCaret : []
