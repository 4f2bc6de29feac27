/** What each key does. Pure: the same table drives the canvas and the help. Chords with Ctrl, Alt or Meta stay the browser's. */
export type Action =
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'pan'; readonly share: number }
  | {
      readonly type: 'step'
      readonly what: 'span' | 'gap' | 'lane' | 'found' | 'flow'
      readonly direction: 1 | -1
    }
  | { readonly type: 'ask'; readonly what: 'search' | 'path' }
  | { readonly type: 'chain' }
  | { readonly type: 'fit' | 'round' | 'follow' | 'start' | 'end' | 'zoom-selection' | 'area' | 'clear' }
  | { readonly type: 'mark'; readonly where: 'selection' | 'pointer' }
  | { readonly type: 'measure-to'; readonly edge: 'start' | 'end' }
  | { readonly type: 'pin' | 'fold' | 'write-note' }

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** Share of the view that one press pans; with Shift three times that. */
const PAN_SHARE = 0.12
const ZOOM_FACTOR = 1.35

export function keyAction({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyPress): Action | null {
  // The page's own search finds no names on a canvas: with focus on it, this one does.
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f')
    return { type: 'ask', what: 'search' }
  if (ctrlKey || altKey || metaKey) return null
  const share = PAN_SHARE * (shiftKey ? 3 : 1)
  const factor = shiftKey ? ZOOM_FACTOR ** 3 : ZOOM_FACTOR
  switch (key) {
    case 'w':
    case 'W':
      return { type: 'zoom', factor }
    case '+':
    case '=':
      return { type: 'zoom', factor: ZOOM_FACTOR }
    case 's':
    case 'S':
      return { type: 'zoom', factor: 1 / factor }
    case '-':
    case '_':
      return { type: 'zoom', factor: 1 / ZOOM_FACTOR }
    case 'a':
    case 'A':
    case 'ArrowLeft':
      return { type: 'pan', share: -share }
    case 'd':
    case 'D':
    case 'ArrowRight':
      return { type: 'pan', share }
    case 'ArrowUp':
      return { type: 'step', what: 'lane', direction: -1 }
    case 'ArrowDown':
      return { type: 'step', what: 'lane', direction: 1 }
    case '.':
    case '>':
      return { type: 'step', what: 'span', direction: 1 }
    case ',':
    case '<':
      return { type: 'step', what: 'span', direction: -1 }
    case 'g':
      return { type: 'step', what: 'gap', direction: 1 }
    case 'G':
      return { type: 'step', what: 'gap', direction: -1 }
    case '0':
    case 'f':
      return { type: 'fit' }
    case 'o':
      return { type: 'round' }
    case 'F':
      return { type: 'follow' }
    case 'End':
      return { type: 'end' }
    case 'Home':
      return { type: 'start' }
    case 'Enter':
      return { type: 'zoom-selection' }
    case 'r':
      return { type: 'area' }
    case 'Escape':
      return { type: 'clear' }

    case 'm':
      return { type: 'mark', where: 'selection' }
    case 'M':
      return { type: 'mark', where: 'pointer' }
    case '[':
      return { type: 'measure-to', edge: 'start' }
    case ']':
      return { type: 'measure-to', edge: 'end' }
    case 'p':
    case 'P':
      return { type: 'pin' }
    case 'h':
    case 'H':
      return { type: 'fold' }
    case 'n':
    case 'N':
      return { type: 'write-note' }
    case '/':
      return { type: 'ask', what: 'search' }
    case 'F3':
      return { type: 'step', what: 'found', direction: shiftKey ? -1 : 1 }
    case 'e':
      return { type: 'step', what: 'flow', direction: 1 }
    case 'E':
      return { type: 'step', what: 'flow', direction: -1 }
    case 'c':
    case 'C':
      return { type: 'chain' }
    case 'k':
    case 'K':
      return { type: 'ask', what: 'path' }

    default:
      return null
  }
}

export interface KeyHelp {
  readonly keys: readonly string[]
  readonly does: string
}
export const KEY_HELP: readonly KeyHelp[] = [
  { keys: ['W', 'S'], does: 'zoom in and out (also + and −; with Shift faster)' },
  { keys: ['A', 'D', '←', '→'], does: 'pan (with Shift faster)' },
  { keys: ['.', ','], does: 'next and previous span of the lane' },
  { keys: ['↑', '↓'], does: 'the span beside it, one lane up or down' },
  { keys: ['g', 'G'], does: 'next and previous gap of the device' },
  { keys: ['Enter'], does: 'zoom to the selection; while measuring: sum up what is measured' },
  { keys: ['m'], does: 'measure from the selection’s begin (again: its end); then step or point' },
  { keys: ['M'], does: 'measure from where the pointer is, else from the middle of the view' },
  { keys: ['[', ']'], does: 'measure to the begin, to the end of the selection' },
  { keys: ['e', 'E'], does: 'along an arrow: to what the span caused, to what caused it' },
  { keys: ['C'], does: 'all that led to the span and followed from it, or its own arrows only' },
  { keys: ['/'], does: 'find spans by name, kind, lane or #submission (also Ctrl + F)' },
  { keys: ['F3'], does: 'next found span (with Shift the previous)' },
  { keys: ['K'], does: 'show the critical path' },
  { keys: ['r'], does: 'sum up the time of the selection, or of the view' },
  { keys: ['Esc'], does: 'put the ruler away, then clear the selection' },
  { keys: ['P'], does: 'pin the selection’s lane on top (again: unpin)' },
  { keys: ['H'], does: 'fold the selection’s lane into one row (again: unfold)' },
  { keys: ['N'], does: 'write a note on what is selected, else on what is in view' },
  { keys: ['0', 'f'], does: 'show the whole run' },
  { keys: ['o'], does: 'show one round: the last repeat of each variant' },
  { keys: ['Home', 'End'], does: 'go to the start, to the end (while live: follow)' },
  { keys: ['F'], does: 'follow the run while it is live' },
  // The page's own, as '?': the tree is beside the canvas.
  { keys: ['t'], does: 'go to the same as a tree, for arrow keys and screen readers' },
  { keys: ['?'], does: 'this help' },
]

export const POINTER_HELP: readonly KeyHelp[] = [
  { keys: ['drag'], does: 'pan (one finger sideways on touch)' },
  { keys: ['Ctrl + wheel', 'pinch'], does: 'zoom at the pointer' },
  { keys: ['Shift + drag'], does: 'select an area and sum it (also: drag along the axis)' },
  {
    keys: ['Alt + wheel'],
    does: 'scroll the lanes where they do not all fit (also: wheel over their names)',
  },
  { keys: ['double click'], does: 'zoom to a span, a gap or a variant; merged spans apart' },
]
