/** What is said of another way to mend beside the lab's own: how many lines differ, and what the model finds. */
import type { Way } from '../../mend/words'
import type { OpenMend } from '../../state/mend-store'
import type { Modelled } from '../../state/mend-typed'
import { formatNumber } from '../format'

const lines = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'line' : 'lines'}`

/** '9 lines are its own, and 4 lines of the lab’s are gone.' */
export function linesWords({ added, gone }: Pick<Way, 'added' | 'gone'>): string {
  const own = `${lines(added)} ${added === 1 ? 'is' : 'are'} its own`
  const left = `${lines(gone)} of the lab’s own ${gone === 1 ? 'is' : 'are'} gone`
  return `${[...(added > 0 ? [own] : []), ...(gone > 0 ? [left] : [])].join(', and ')}.`
}

/** Timed by the same thing: where the steps of one are not those of another, by the whole call. */
export function alike(modelled: readonly Modelled[]): readonly Modelled[] {
  const isAlike = new Set(modelled.map(({ steps }) => steps)).size <= 1
  return isAlike
    ? modelled
    : modelled.map(({ tookMs, steps, ...rest }) => ({
        ...rest,
        tookMs: tookMs === null ? null : tookMs * Math.max(1, steps),
        steps: 0,
      }))
}

/** 'On the model a step takes 12 % longer than in the lab’s own.' Null where one of them has no time. */
function timeWords(way: Modelled, own: Modelled): string | null {
  if (way.tookMs === null || own.tookMs === null || own.tookMs === 0) return null
  const ratio = way.tookMs / own.tookMs
  const percent = Math.round(100 * Math.abs(ratio - 1))
  const what = `On the model ${way.steps > 0 ? 'a step' : 'a call'} takes`
  if (percent === 0) return `${what} as long as in the lab’s own, within 1 %.`
  if (ratio >= 2) return `${what} ${formatNumber(ratio)} times as long as in the lab’s own.`
  return `${what} ${formatNumber(percent)} % ${ratio > 1 ? 'longer' : 'less'} than in the lab’s own.`
}

type Timed = Pick<OpenMend, 'language' | 'isTimedOnModel'>
const OWN_KERNEL = 'It runs a kernel of its own: how long that takes, the model cannot tell.'

/** Why the model draws no strip of any of them, in a sentence; null: it does. */
export function untimed({ language, isTimedOnModel }: Timed): string | null {
  if (isTimedOnModel) return null
  return language === 'wgsl' ? OWN_KERNEL : 'It gets no device: how long it takes, the model cannot tell.'
}

/** What the model found, or why there is no strip. */
export function modelWords(mend: Timed, way: Modelled | undefined, own: Modelled | undefined): string | null {
  const why = untimed(mend)
  if (why !== null || !way || !own) return why
  if (way.stop) return `No strip: on the model it stopped. ${way.stop.text}`
  return way.isUnknown ? OWN_KERNEL : timeWords(way, own)
}
