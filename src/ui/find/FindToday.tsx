/** Today's profile, on a page of something else. */
import { findDays } from 'virtual:find-days'
import { FindGame } from './FindGame'
import { useToday } from './use-today'

export const FindToday = () => {
  const number = useToday()
  const day = number === null ? undefined : findDays[number - 1]
  return day && number !== null && <FindGame day={day} number={number} />
}
