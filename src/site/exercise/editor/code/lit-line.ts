/** The line that runs, lit as in the site's code listings. It stays with its line while the text round it changes. */
import { StateEffect, StateField, type EditorState } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'

const lit = StateEffect.define<number | null>()
const mark = Decoration.line({ class: 'cm-lit' })

/** `line` from 1; null, or a line that is not there: none is lit. */
function decorate(state: EditorState, line: number | null): DecorationSet {
  if (line === null || line < 1 || line > state.doc.lines) return Decoration.none
  return Decoration.set(mark.range(state.doc.line(line).from))
}

export const litLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { state, changes, effects }) => {
    const effect = effects.findLast((each) => each.is(lit))
    return effect ? decorate(state, effect.value) : marks.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function lightLine(view: EditorView, line: number | null): void {
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
