/** The host has a newer version than this page. Offered, never forced: what is on the page may be worth more. Loaded when there is one. */
import { useState } from 'react'
import { isUnderWay } from '../state/run-store'
import { useLab } from './lab-context'
import { useStore } from 'zustand'
import { Button } from './Button'

export const NewerVersion = () => {
  const { run } = useLab()
  const isRunning = useStore(run.store, ({ phase }) => isUnderWay(phase))
  const [isPutOff, setIsPutOff] = useState(false)
  if (isPutOff || isRunning) return null
  return (
    <p>
      A newer version of the lab is here. This page stays as it is until you load it again.{' '}
      <Button look="link" label="Reload" onClick={() => location.reload()} />{' '}
      <Button look="link" label="Later" onClick={() => setIsPutOff(true)} />
    </p>
  )
}
