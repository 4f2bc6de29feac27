import { findDays } from 'virtual:find-days'
import { useSyncExternalStore } from 'react'
import { numberOn } from '../../state/find-day'

const never = () => () => undefined

/** The number of today's profile, by the visitor's calendar; null while the site is built, which knows no day. */
export const useToday = (): number | null =>
  useSyncExternalStore(
    never,
    () => numberOn(new Date(), findDays.length),
    () => null,
  )
