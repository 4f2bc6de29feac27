/**
 * `analyze --picture FILE`: the summary as a picture. The painter is the page's (src/analysis/summary/picture.ts). SVG is written as it is; PNG
 * takes packages that a clone has (summary-png.ts).
 */
import { writeFile } from 'node:fs/promises'
import { summaryPicture, type PictureOptions, type SummaryPicture } from '../src/analysis/summary/picture'
import { estimatedWidth, svgOf } from '../src/analysis/summary/picture-svg'
import type { Summary } from '../src/analysis/summary/summary'
import { themeColour } from '../src/site/ui/theme-colours'
import { CommandError, inert, say } from './terminal.mjs'

export interface Painter {
  readonly widthOf: PictureOptions['widthOf']
  readonly paint: (picture: SummaryPicture) => string | Uint8Array
}
const SVG: Painter = { widthOf: estimatedWidth, paint: svgOf }

/**
 * @param file ends in .png or .svg: analyze-arguments.ts
 * @param png null where nothing makes PNG
 * @throws CommandError where it cannot be made or written
 */
export async function writePicture(
  file: string,
  summary: Summary,
  png: (() => Promise<Painter>) | null,
): Promise<void> {
  const load = file.endsWith('.svg') ? () => Promise.resolve(SVG) : png
  if (!load) throw new CommandError('This package writes no PNG: say --picture FILE.svg.', 2)
  const { widthOf, paint } = await load()
  const bytes = paint(
    summaryPicture(summary, {
      colourOf: (name) => themeColour(name)[0],
      widthOf,
      from: 'Host/Device Lab: analyze --picture',
    }),
  )
  try {
    await writeFile(file, bytes)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^E[A-Z]+: /, '') : String(thrown)
    throw new CommandError(`'${file}' cannot be written: ${why}.`, 2)
  }
  say(inert(`picture  ${file}`))
}
