/**
 * The commands that need no pointing: one table, from which the keys, their help and the toolbar's
 * buttons are made. Chords with Ctrl, Alt or Meta stay the browser's, except Ctrl + F: its own
 * search finds no names on a canvas.
 */
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { targetRange } from './navigate'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { Step } from './stepping'
import type { CommandName, Timeline, Direction } from './types'

export interface CommandParts {
  readonly timeline: Pick<Timeline, 'search' | 'select' | 'selectArea' | 'zoomTo'> & {
    readonly step: (what: Step, direction: Direction) => void
  }
  readonly viewModel: Pick<ViewModel, 'data' | 'laneIds'> & {
    readonly camera: Pick<ViewModel['camera'], 'follow' | 'following' | 'view'>
  }
  readonly moves: Pick<Moves, 'fit' | 'fitRound' | 'panBy' | 'zoomBy'>
  readonly selection: Pick<Selection, 'target' | 'area'>
  readonly toggleFold: () => void
  readonly emitter: Pick<Emitter, 'emit'>
}

/** 'fast': a key with Shift. */
type How = 'key' | 'fast' | 'button'

interface Command {
  /**
   * Keys as the help writes them. A capital stands for both cases where its small letter is no
   * other key.
   */
  readonly keys: Readonly<Record<string, Direction>>
  /** More of them, for which the help has words; Shift is part of how they are typed. */
  readonly also?: Readonly<Record<string, Direction>>
  readonly help: string
  readonly run: (parts: CommandParts, way: Direction, how: How) => void
}

/** One press; with Shift as three. */
const ZOOM_FACTOR: Readonly<Record<How, number>> = { key: 1.35, fast: 1.35 ** 3, button: 1.8 }
/** Distance of a pan, as a share of the view. */
const PAN_SHARE: Readonly<Record<How, number>> = { key: 0.12, fast: 0.36, button: 0.12 }

const step =
  (what: Step): Command['run'] =>
  ({ timeline }, way) =>
    timeline.step(what, way)

/**
 * The time of the selection, else of the view, over all lanes; pressed again it goes away.
 * Backwards: from the area that is there to the selection, whichever comes first.
 */
const toggleArea: Command['run'] = (
  { timeline, viewModel: { data, camera, laneIds }, selection: { target, area } },
  way,
) => {
  if (!data) return
  const time = (target && targetRange(data, target)) ?? camera.view
  const from = way < 0 && area ? area : time
  const [startNs, endNs] = [Math.min(from.startNs, time.startNs), Math.max(from.endNs, time.endNs)]
  const isSame = area?.startNs === startNs && area.endNs === endNs
  timeline.selectArea(isSame ? null : { startNs, endNs, lanes: laneIds })
}

/** In the order of the help. */
const COMMANDS: Readonly<Record<CommandName, Command>> = {
  zoom: {
    keys: { W: 1, S: -1 },
    also: { '+': 1, '=': 1, '-': -1, _: -1 },
    help: 'zoom in and out (also + and −; with Shift faster)',
    run: ({ moves }, way, how) => moves.zoomBy(ZOOM_FACTOR[how] ** way),
  },
  pan: {
    keys: { A: -1, D: 1, '←': -1, '→': 1 },
    help: 'pan (with Shift faster)',
    run: ({ moves }, way, how) => moves.panBy(PAN_SHARE[how] * way),
  },
  span: {
    keys: { '.': 1, ',': -1 },
    also: { '>': 1, '<': -1 },
    help: 'next and previous span of the lane',
    run: step('span'),
  },
  lane: { keys: { '↑': -1, '↓': 1 }, help: 'the span beside it, one lane up or down', run: step('lane') },
  gap: { keys: { g: 1, G: -1 }, help: 'next and previous gap of the device', run: step('gap') },
  selection: {
    keys: { Enter: 1, f: 1 },
    help: 'zoom to the selection; without one, to the whole run',
    run: ({ timeline, moves, selection }) => {
      const what = selection.target ?? selection.area
      if (what) timeline.zoomTo(what)
      else moves.fit()
    },
  },
  flow: {
    keys: { e: 1, E: -1 },
    help: 'along an arrow: to what the span caused, to what caused it',
    run: step('flow'),
  },
  search: {
    keys: { '/': 1 },
    help: 'find spans by name, kind, lane or #submission (also Ctrl + F)',
    run: ({ emitter }) => emitter.emit('ask', 'search'),
  },
  found: {
    keys: { F3: 1 },
    help: 'next found span (with Shift the previous)',
    run: ({ timeline }, way, how) => timeline.step('found', how === 'fast' ? -1 : way),
  },
  path: {
    keys: { K: 1 },
    help: 'show the critical path',
    run: ({ emitter }) => emitter.emit('ask', 'path'),
  },
  area: {
    keys: { r: 1, R: -1 },
    help: 'sum up the time of the selection, or of the view; then, from there to another selection',
    run: toggleArea,
  },
  clear: {
    keys: { Esc: 1 },
    help: 'clear the selection',
    run: ({ timeline }) => {
      timeline.search('')
      timeline.select(null)
      timeline.selectArea(null)
    },
  },
  fold: {
    keys: { H: 1 },
    help: 'fold the selection’s lane into one row (again: unfold)',
    run: ({ toggleFold }) => toggleFold(),
  },
  whole: {
    keys: { '0': 1 },
    help: 'show the whole run',
    run: ({ moves }) => moves.fit(),
  },
  round: {
    keys: { o: 1 },
    help: 'show one round: the last repeat of each variant',
    run: ({ moves }) => moves.fitRound(),
  },
  follow: {
    keys: { F: 1 },
    help: 'follow the run while it is live',
    run: ({ viewModel: { data, camera }, moves }, _way, how) => {
      const isWanted = how !== 'button' || !camera.following
      if (isWanted && !data?.live) moves.fit()
      else camera.follow(isWanted)
    },
  },
}
const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[] // the record has exactly these keys

/** Runs a command as its button does. */
export const runCommand = (parts: CommandParts, name: CommandName, way: Direction = 1): void =>
  COMMANDS[name].run(parts, way, 'button')

export interface KeyHelp {
  readonly keys: readonly string[]
  readonly does: string
}
export const KEY_HELP: readonly KeyHelp[] = [
  ...COMMAND_NAMES.map((name) => ({ keys: Object.keys(COMMANDS[name].keys), does: COMMANDS[name].help })),
  // The page's own, as '?': the table is below the canvas.
  { keys: ['t'], does: 'go to the same as a table, for arrow keys and screen readers' },
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
  { keys: ['double click'], does: 'zoom to a span, a gap or a variant' },
]

/** The first key of a command's way, as the help writes it. */
export const keyFor = (name: CommandName, way: Direction = 1): string =>
  Object.entries(COMMANDS[name].keys).find(([, each]) => each === way)?.[0] ?? ''

interface Binding {
  readonly name: CommandName
  readonly way: Direction
  readonly isFasterWithShift: boolean
}

const EVENT_KEYS: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  Esc: 'Escape',
}

/** By `KeyboardEvent.key`. */
const BINDINGS: ReadonlyMap<string, Binding> = (() => {
  const bindings = new Map<string, Binding>()
  const capitals = new Map<string, Binding>()
  for (const name of COMMAND_NAMES) {
    const { keys, also = {} } = COMMANDS[name]
    for (const [key, way] of Object.entries(keys)) {
      const binding = { name, way, isFasterWithShift: true }
      bindings.set(EVENT_KEYS[key] ?? key, binding)
      if (/^[A-Z]$/.test(key)) capitals.set(key, binding)
    }
    for (const [key, way] of Object.entries(also)) bindings.set(key, { name, way, isFasterWithShift: false })
  }
  for (const [key, binding] of capitals)
    if (!bindings.has(key.toLowerCase())) bindings.set(key.toLowerCase(), binding)
  return bindings
})()

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** The command of a key; null where the timeline has none. @internal */
export function commandOfKey({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyPress): {
  readonly name: CommandName
  readonly run: (parts: CommandParts) => void
} | null {
  const isFind = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f'
  if (!isFind && (ctrlKey || altKey || metaKey)) return null
  const binding = BINDINGS.get(isFind ? '/' : key)
  if (!binding) return null
  const { name, way, isFasterWithShift } = binding
  return {
    name,
    run: (parts) => COMMANDS[name].run(parts, way, shiftKey && isFasterWithShift ? 'fast' : 'key'),
  }
}

/**
 * Attaches the listener; returns what removes it. Keys pressed in what lies inside the element are
 * not the timeline's.
 */
export function attachKeys(element: HTMLElement, parts: CommandParts): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== element) return
    const command = commandOfKey(event)
    if (!command) return
    event.preventDefault()
    command.run(parts)
  }
  element.addEventListener('keydown', onKey)
  return () => element.removeEventListener('keydown', onKey)
}
