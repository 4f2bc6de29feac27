/** Said once: a timeline shows nothing to whoever does not know how to move in it. Names no key that does nothing. */
import { useState } from 'react'
import { createLocalStore } from '../../state/storage'
import { KEY_HELP, type Timeline } from '../../../timeline'

const HINT_KEY = 'host-device-lab:timeline-hint'

const has = (key: string): boolean => KEY_HELP.some(({ keys }) => keys.includes(key))
const MORE = [
  { key: 'm', does: 'measure' },
  { key: '/', does: 'search' },
  { key: '?', does: 'all keys' },
].filter(({ key }) => has(key))

export const FirstHint = ({ timeline }: { readonly timeline: Timeline | null }) => {
  const [localStore] = useState(() => createLocalStore(() => localStorage))
  const [seen, setSeen] = useState(() => localStore.read(HINT_KEY) !== null)
  if (seen || !timeline) return null
  return (
    <p className="tl-hint cluster-4 quiet">
      <span className="tl-for-mouse">
        Drag to pan, <kbd>Ctrl</kbd> + wheel or <kbd>W</kbd> <kbd>S</kbd> to zoom
        {MORE.map(({ key, does }) => (
          <span key={key} className="tl-hint-key nowrap">
            <kbd>{key}</kbd> {does}
          </span>
        ))}
      </span>
      <span className="tl-for-touch">Swipe to pan, pinch to zoom, tap a bar to read it</span>
      <button
        type="button"
        className="tl-button"
        onClick={() => {
          localStore.write(HINT_KEY, { version: 1, data: true })
          setSeen(true)
        }}
      >
        Got it
      </button>
    </p>
  )
}
