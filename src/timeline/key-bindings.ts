/** Maps keys to commands. Pure. */
import { COMMAND_NAMES, type CommandParts, COMMANDS } from './commands'
import type { CommandName, Direction } from './types'

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
