/** Makes the two links of a run and puts them on the clipboard; where the browser does not allow that, hands them back to be shown. */
import { useCallback, useState } from 'react'
import type { RunState } from '../../state/run-store'
import { addressOf, type Route } from '../../state/url'
import { copyText } from '../copy-text'
import { formatNumber } from '../format'
import { useLab } from '../lab-context'
import { runRoute, settingsRoute, type SharePlace } from './links'

const whole = (route: Route): string => new URL(addressOf(route), document.baseURI).href

export interface Links {
  /** Both resolve with what came of it, in words. Null: nothing here could run these settings. */
  readonly settings: (() => Promise<string>) | null
  readonly result: () => Promise<string>
  /** The address that could not be copied. */
  readonly shown: string | null
}

export function useLinks(run: RunState, place: SharePlace): Links {
  const { files } = useLab()
  const [shown, setShown] = useState<string | null>(null)
  const give = useCallback(async (address: string, words: string): Promise<string> => {
    const isCopied = await copyText(address)
    setShown(isCopied ? null : address)
    return `${isCopied ? 'Link copied' : 'Here is the link'}: ${formatNumber(address.length)} characters. ${words}`
  }, [])
  const route = settingsRoute(place, run)
  return {
    shown,
    settings:
      route &&
      (async () =>
        await give(
          whole(route),
          'It holds the settings only: whoever opens it runs them on their own machine.',
        )),
    result: async () => {
      setShown(null)
      const { placed, report, gaps } = run
      if (!placed) return 'There is nothing to link to.'
      const link = await files.runLink({ trace: placed.trace, report, placed, gaps })
      if (!link.ok) return link.error
      return await give(
        whole(runRoute(place, run, link.value.text)),
        link.value.leftOut ?? 'The whole run is in it.',
      )
    },
  }
}
