/** Names in the editor: completed by Ctrl-Space and behind a dot, explained under the pointer and by keys. */
import { autocompletion } from '@codemirror/autocomplete'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap, showTooltip, type Command, type Tooltip } from '@codemirror/view'
import type { Scope } from '../../../../exercises/names'
import { completed, explainedAt, lineOf, type Explained } from './names'

const tooltipOf = ({ from, to, label, name }: Explained): Tooltip => ({
  pos: from,
  end: to,
  above: true,
  create: () => {
    const dom = document.createElement('div')
    dom.className = 'cm-name'
    const head = dom.appendChild(document.createElement('p'))
    head.textContent = label + (name.takes ?? '')
    dom.append(lineOf(name))
    return { dom }
  },
})

/** The line of the option that is chosen: beside the list where there is room, else below or above it, never on it. */
const positionInfo: NonNullable<Parameters<typeof autocompletion>[0]>['positionInfo'] = (
  _view,
  list,
  option,
  info,
  space,
) =>
  info.right - info.left <= space.right - list.right
    ? { style: `left: 100%; top: ${String(option.top - list.top)}px` }
    : {
        style: `left: 0; ${space.bottom - list.bottom >= info.bottom - info.top ? 'top' : 'bottom'}: 100%; max-width: ${String(space.right - list.left)}px`,
      }

const explain = StateEffect.define<Explained | null>()

/** What the keys have asked for, until the caret or the text moves. */
const asked = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects, docChanged, selection }) => {
    const effect = effects.find((each) => each.is(explain))
    if (effect) return effect.value ? tooltipOf(effect.value) : null
    return docChanged || selection ? null : shown
  },
  provide: (field) => showTooltip.from(field),
})

const close: Command = (view) => {
  if (!view.state.field(asked)) return false
  view.dispatch({ effects: explain.of(null) })
  return true
}

export const naming = (scope: Scope): Extension => {
  const ask: Command = (view) => {
    const { head } = view.state.selection.main
    const found = explainedAt(view.state, head, scope)
    const words = found
      ? `${found.label}: ${found.name.says.replaceAll('`', '')}`
      : 'No line for what is here.'
    view.dispatch({ effects: [explain.of(found), EditorView.announce.of(words)] })
    return true
  }
  return [
    autocompletion({ override: [completed(scope)], icons: false, positionInfo }),
    asked,
    hoverTooltip(({ state }, pos) => {
      const found = explainedAt(state, pos, scope)
      return found ? tooltipOf(found) : null
    }),
    keymap.of([
      { key: 'Mod-k Mod-i', run: ask },
      { key: 'Escape', run: close },
    ]),
    EditorView.domEventHandlers({ blur: (_, view) => void close(view) }),
  ]
}
