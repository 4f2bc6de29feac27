/**
 * A link that holds a run (link/text.ts), cut where it would be too long.
 *
 * Limit: 32,000 characters. Chromium displays addresses up to 32 × 1024 (content/common/content_constants.cc; it carries 2 MiB), Firefox
 * keeps up to 65,536 in its history (URL_LENGTH_MAX of Places). Messengers may cut earlier: the checksum tells.
 */
import { fail, succeed, type Result } from '../base/result'
import type { SavedRun } from '../trace/codec'
import { CARRIED, LEFT_OUT } from '../trace/left-out'
import { cuts } from './link/cuts'
import { openRunLink, runLinkText } from './link/text'

const MAX_LINK_CHARACTERS = 32_000

export interface RunLink {
  readonly text: string
  /** Null: the whole run; else what is left out, in a sentence. */
  readonly leftOut: string | null
}

export interface LinkOptions {
  readonly maxCharacters?: number
  /** Figures of the whole trace that a page would otherwise work out from the part in the link. */
  readonly carried?: string
}

/** The whole run where it fits; else its trace is cut, and never its report: first what no figure is taken from, then repeats. */
export async function shortRunLink(
  run: SavedRun,
  { maxCharacters = MAX_LINK_CHARACTERS, carried }: LinkOptions = {},
): Promise<Result<RunLink, string>> {
  const { report } = run
  const whole = await runLinkText(run)
  if (whole.length <= maxCharacters) return await ifItOpens({ text: whole, leftOut: null })
  for (const { trace, leftOut } of cuts(run.trace)) {
    const derived = { ...trace.info.derived, [LEFT_OUT]: leftOut, ...(carried ? { [CARRIED]: carried } : {}) }
    const text = await runLinkText({ trace: { ...trace, info: { ...trace.info, derived } }, report })
    if (text.length <= maxCharacters) return await ifItOpens({ text, leftOut })
  }
  const size = (whole.length / 1000).toFixed(0)
  return fail(
    `This run is too large for a link: ${size},000 characters, and an address bears ${String(maxCharacters / 1000)},000. Save the file instead.`,
  )
}

/** A link that this page would refuse is not handed out: few characters may inflate to more than a link may. */
async function ifItOpens(link: RunLink): Promise<Result<RunLink, string>> {
  const opened = await openRunLink(link.text)
  if (opened.ok) return succeed(link)
  return fail(`This run cannot be put into a link. ${opened.error.message} Save the file instead.`)
}
