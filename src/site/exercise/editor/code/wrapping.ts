/**
 * Lines that are too long, as in the site's code listings: further rows stand under the line's own beginning, and a row may end before a
 * member's dot and after an opening bracket, not only at a space. No character is added to the text.
 */
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from '@codemirror/view'

const INDENT = /^ */
/** No deeper, so that a phone keeps room for the text. In columns. */
const DEEPEST = 12
const BREAKS = /(?<![\d.])\.(?=[\p{ID_Start}_])|[([](?![)\]])/gu

// The theme puts a zero-width space beside the sign, as a pseudo-element.
const before = Decoration.mark({ class: 'cm-break-before' })
const after = Decoration.mark({ class: 'cm-break-after' })

const byDepth = new Map<number, Decoration>()
function indented(columns: number): Decoration {
  const known = byDepth.get(columns)
  if (known) return known
  // CodeMirror sets it by `style.cssText`, which a content security policy allows.
  const made = Decoration.line({ attributes: { style: `--indent: ${String(columns + 2)}ch` } })
  byDepth.set(columns, made)
  return made
}

function decorate({ visibleRanges, state }: EditorView): DecorationSet {
  const marks = []
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      const columns = INDENT.exec(line.text)?.[0].length ?? 0
      if (columns > 0) marks.push(indented(Math.min(columns, DEEPEST)).range(line.from))
      for (const { 0: sign, index } of line.text.matchAll(BREAKS))
        marks.push((sign === '.' ? before : after).range(line.from + index, line.from + index + 1))
      at = line.to + 1
    }
  }
  return Decoration.set(marks, true)
}

export const wrapping = ViewPlugin.define(
  (view) => ({
    marks: decorate(view),
    update({ view: now, docChanged, viewportChanged }) {
      if (docChanged || viewportChanged) this.marks = decorate(now)
    },
  }),
  { decorations: ({ marks }) => marks },
)
