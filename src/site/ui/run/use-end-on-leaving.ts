/**
 * Ends a run under way when the visitor leaves for a page that does not show it: the next page may
 * want the device.
 */
import { useEffect } from 'react'
import { isUnderWay } from '../../state/run-store'
import type { Route } from '../../state/url'
import { useLab } from '../lab-context'

/**
 * The pages of a lesson and the bench of its experiment show its runs; a run of the bench is shown
 * there alone.
 */
const isShown = (owner: string, next: Route): boolean =>
  'id' in next &&
  (owner.startsWith(`lessons/${next.id}/`) || (next.page === 'run' && owner === `run/${next.id}`))

export function useEndOnLeaving(): void {
  const { run, route } = useLab()
  useEffect(
    () => () => {
      const { owner, phase } = run.store.getState()
      if (isUnderWay(phase) && !isShown(owner, route.store.getState().route)) run.cancel()
    },
    [run, route],
  )
}
