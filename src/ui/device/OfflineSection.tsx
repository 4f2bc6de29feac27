/** What of the lab is stored in this browser, how much that is, and what is missing without a network. */
import type { ReactNode } from 'react'
import type { OfflineState } from '../../state/offline-store'
import { formatMegabytes } from '../format'
import { useShell } from '../lab-context'
import { useStore } from '../use-store'

const said = (state: OfflineState): ReactNode => {
  const { phase, bytes, storedBytes, onUseBytes, onUseStoredBytes } = state
  switch (phase) {
    case 'none':
      return 'Nothing of the lab is stored in this browser: it needs the network. Either it has just been opened, or this browser or address (http, a private window) allows no service worker.'
    case 'storing':
      return `Being stored for use without a network: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}, while nothing is measured.`
    case 'ready':
      return `Ready for use without a network: every page and lesson opens, ${formatMegabytes(storedBytes + onUseStoredBytes)} are stored in this browser. Recordings, editors and the WebAssembly that multiplies on the CPU are stored when first used: ${formatMegabytes(onUseStoredBytes)} of ${formatMegabytes(onUseBytes)}. Links to other sites, Perfetto’s among them, need a network.`
    case 'asks':
      return `Not stored: this browser is set to save data. For use without a network ${formatMegabytes(bytes - storedBytes)} more are needed.`
    case 'no-room':
      return `Not stored: this browser has no room for the ${formatMegabytes(bytes - storedBytes)} that are missing. With a network all works as before.`
    case 'unreachable':
      return `Stored in part: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}. The host did not send the rest; the next visit tries again.`
  }
}

/** What a press would store that is not stored by itself; null: nothing. */
const offered = ({ phase, onUseBytes, onUseStoredBytes }: OfflineState): string | null => {
  if (phase === 'asks') return 'Store it all the same'
  const left = onUseBytes - onUseStoredBytes
  return phase === 'ready' && left > 0 ? `Keep all: ${formatMegabytes(left)} more` : null
}

export const OfflineSection = () => {
  const { offline } = useShell()
  const state = useStore(offline.store)
  const offer = offered(state)
  return (
    <section className="offline" aria-labelledby="offline-title" data-testid="offline">
      <h2 id="offline-title">Without a network</h2>
      <p>{said(state)}</p>
      {offer !== null && (
        <div className="button-row no-print">
          <button type="button" className="button" onClick={offline.keep}>
            {offer}
          </button>
        </div>
      )}
    </section>
  )
}
