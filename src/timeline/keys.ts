import type { CommandParts } from './commands'
import { commandOfKey } from './key-bindings'

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
