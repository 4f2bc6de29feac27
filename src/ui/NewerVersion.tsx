/** The host has a newer version than this page. Offered, never forced: what is on the page may be worth more. */
import { useState } from 'react'
import { isUnderWay } from '../state/run-store'
import { useLab } from './lab-context'
import { useStore } from './use-store'

export const NewerVersion = () => {
  const { offline, run } = useLab()
  const isNewer = useStore(offline.store, (state) => state.isNewer)
  const isRunning = useStore(run.store, ({ phase }) => isUnderWay(phase))
  const [isPutOff, setIsPutOff] = useState(false)
  const isOffered = isNewer && !isPutOff && !isRunning
  return (
    // There before it says something: only then is it read out.
    <div className="newer-version no-print" role="status">
      {isOffered && (
        <>
          A newer version of the lab is here. This page stays as it is until you load it again.{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => {
              location.reload()
            }}
          >
            Reload
          </button>
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setIsPutOff(true)
            }}
          >
            Later
          </button>
        </>
      )}
    </div>
  )
}
