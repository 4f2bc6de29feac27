/** What a picture of a run says of it; the timeline adds the scale and the clocks. */
import type { ImageCaption } from '../../../timeline/types'
import type { Report } from '../../../trace/report'
import type { RunInfo } from '../../../trace/schema'
import { adapterName, browserName, dateOf } from '../run-words'

/** A link that holds a whole run is no address to print. */
const LONGEST_ADDRESS = 140

const ORIGIN = { live: 'measured live', recorded: 'recorded', imported: 'imported' } as const

export function imageCaption(
  title: string,
  info: RunInfo,
  report: Report | null,
  { href, origin, pathname }: Pick<Location, 'href' | 'origin' | 'pathname'>,
): ImageCaption {
  const address = href.length <= LONGEST_ADDRESS ? href : origin + pathname
  const date = dateOf(info)
  return {
    title,
    facts: [
      `${ORIGIN[info.origin]}${date === '' ? '' : `, ${date}`}`,
      report?.environment.adapterName ?? adapterName(info),
      browserName(info),
    ].filter((fact) => fact !== ''),
    source: `Host/Device Lab, ${address}`,
  }
}
