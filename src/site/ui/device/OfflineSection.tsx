/** What of the lab is stored in this browser, how much that is, and what is missing without a network. */
import type { ReactNode } from 'react'
import type { OfflineState } from '../../state/offline-store'
import { formatMegabytes } from '../format'
import { useShell } from '../lab-context'
import { useStore } from '../use-store'

const said = ({ phase, bytes, storedBytes, allBytes }: OfflineState): ReactNode => {
  switch (phase) {
    case 'none':
      return 'The lab isn’t stored in this browser, so it needs the network. Either you have just opened it, or this browser or address (http, a private window) allows no service worker.'
    case 'storing':
      return `Being stored for use without a network: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}, while nothing is measured.`
    case 'ready':
      return storedBytes < allBytes
        ? `Ready for use without a network: every page and lesson, ${formatMegabytes(storedBytes)} in this browser. Recordings, the editor and WebAssembly are stored after their first use; all of it is ${formatMegabytes(allBytes)}.`
        : `Ready for use without a network: all of the lab, ${formatMegabytes(storedBytes)} in this browser. Links to other sites, Perfetto’s among them, need one.`
    case 'asks':
      return `Not stored: this browser is set to save data. All of the lab is ${formatMegabytes(allBytes)}.`
    case 'no-room':
      return `Stored in part: ${formatMegabytes(storedBytes)}. This browser has no room for more. With a network all works as before.`
    case 'unreachable':
      return `Stored in part: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}. The rest was of another version of the lab; the next visit tries again.`
  }
}

export const OfflineSection = () => {
  const { offline } = useShell()
  const state = useStore(offline.store)
  const { phase, storedBytes, allBytes } = state
  return (
    <section className="stack-12" aria-labelledby="offline-title" data-testid="offline">
      <h2 id="offline-title">Without a network</h2>
      <p>{said(state)}</p>
      {phase !== 'none' && phase !== 'storing' && storedBytes < allBytes && (
        <div className="button-row no-print">
          <button type="button" className="button" onClick={offline.keep}>
            Keep all
          </button>
        </div>
      )}
    </section>
  )
}
