/** Makes the two links of a run and puts them on the clipboard; where the browser does not allow that, hands them back to be shown. */
import { useState } from 'react'
import type { RunState } from '../../state/run-store'
import { addressOf, type Route } from '../../state/url'
import { copyText } from '../copy-text'
import { formatNumber } from '../format'
import { resultRoute, settingsRoute, type SharePlace } from './links'

/** Messengers and mail programs cut longer ones. */
const MOST_CHARACTERS = 2000

type MakeLink = () => Promise<string>

export interface Links {
  /** Both resolve with what came of it, in words. Null: there is none to make. */
  readonly settings: MakeLink | null
  readonly result: MakeLink | null
  /** The address that could not be copied. */
  readonly shown: string | null
}

export function useLinks(run: RunState, place: SharePlace): Links {
  const [shown, setShown] = useState<string | null>(null)
  const linkTo = (route: Route | null, words: string): MakeLink | null =>
    route &&
    (async () => {
      const address = new URL(addressOf(route), document.baseURI).href
      if (address.length > MOST_CHARACTERS)
        return `This is too long for a link: ${formatNumber(address.length)} characters, of at most ${formatNumber(MOST_CHARACTERS)}. Save the file instead.`
      const isCopied = await copyText(address)
      setShown(isCopied ? null : address)
      return `${isCopied ? 'Link copied' : 'Here is the link'}: ${formatNumber(address.length)} characters. ${words}`
    })
  return {
    shown,
    settings: linkTo(
      settingsRoute(place, run),
      'It holds the settings only: whoever opens it runs them on their own machine.',
    ),
    result: linkTo(
      resultRoute(place, run),
      'It holds the settings, the verdict and the figure of the headline. The file has the whole run.',
    ),
  }
}
