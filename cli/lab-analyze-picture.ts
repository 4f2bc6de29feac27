/**
 * `analyze --picture FILE`: the summary as a picture. The painter is the page's
 * (src/strips/summary-image.ts). SVG is written as it is; PNG takes packages that a clone has
 * (summary-png.ts).
 */
import { writeFile } from 'node:fs/promises'
import type { Summary } from '../src/analysis/summary/summary'
import type { Face } from '../src/strips/marks'
import type { WidthOf } from '../src/strips/sheet'
import { summaryImage, type SummaryImage } from '../src/strips/summary-image'
import { estimatedWidth, mixed, svgFile, svgMarks } from '../src/strips/svg'
import { themeColour } from '../src/site/ui/theme-colours'
import { CommandError, inert, say } from './terminal.mjs'

export interface Painter {
  readonly widthOf: WidthOf
  readonly paint: (picture: SummaryImage) => string | Uint8Array
}

export const summarySvg = (picture: SummaryImage, outline?: (text: string, face: Face) => string): string =>
  svgFile(
    picture,
    svgMarks(picture.marks, {
      paintOf: (ink) => mixed((hue) => themeColour(hue)[0], ink),
      ...(outline ? { outline } : {}),
    }),
  )
const SVG: Painter = { widthOf: estimatedWidth, paint: (picture) => summarySvg(picture) }

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
  const bytes = paint(summaryImage(summary, widthOf, 'Host/Device Lab: analyze --picture'))
  try {
    await writeFile(file, bytes)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^E[A-Z]+: /, '') : String(thrown)
    throw new CommandError(`'${file}' cannot be written: ${why}.`, 2)
  }
  say(inert(`picture  ${file}`))
}
