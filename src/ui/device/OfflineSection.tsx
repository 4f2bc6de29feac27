/** What of the lab is stored in this browser, how much that is, and what is missing without a network. */
import type { ReactNode } from 'react'
import type { OfflineState } from '../../state/offline-store'
import { formatMegabytes } from '../format'
import { useShell } from '../lab-context'
import { useStore } from '../use-store'

const onUse = ({ onUseBytes, onUseStoredBytes }: OfflineState): string =>
  onUseBytes === 0
    ? ''
    : onUseStoredBytes >= onUseBytes
      ? ` The WebAssembly that multiplies on the CPU (${formatMegabytes(onUseBytes)}) is stored too.`
      : ` The WebAssembly that multiplies on the CPU (${formatMegabytes(onUseBytes)}) is stored after the first run that uses it; until then that run needs a network.`

const said = (state: OfflineState): ReactNode => {
  const { phase, bytes, storedBytes, onUseStoredBytes } = state
  switch (phase) {
    case 'none':
      return 'Nothing of the lab is stored in this browser: it needs the network. Either it has just been opened, or this browser or address (http, a private window) allows no service worker.'
    case 'storing':
      return `Being stored for use without a network: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}, while nothing is measured.`
    case 'ready':
      return `Ready for use without a network: pages, lessons, recordings and editors, ${formatMegabytes(storedBytes + onUseStoredBytes)} in this browser. Links to other sites, Perfetto’s among them, need one.${onUse(state)}`
    case 'asks':
      return `Not stored: this browser is set to save data. For use without a network ${formatMegabytes(bytes - storedBytes)} more are needed.`
    case 'no-room':
      return `Not stored: this browser has no room for the ${formatMegabytes(bytes - storedBytes)} that are missing. With a network all works as before.`
    case 'unreachable':
      return `Stored in part: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}. The rest was not sent as this version of the lab has it; the next visit tries again.`
  }
}

export const OfflineSection = () => {
  const { offline } = useShell()
  const state = useStore(offline.store)
  return (
    <section className="offline" aria-labelledby="offline-title" data-testid="offline">
      <h2 id="offline-title">Without a network</h2>
      <p>{said(state)}</p>
      {state.phase === 'asks' && (
        <div className="button-row no-print">
          <button type="button" className="button" onClick={offline.keep}>
            Store it all the same
          </button>
        </div>
      )}
    </section>
  )
}
