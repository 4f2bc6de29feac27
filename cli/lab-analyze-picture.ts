/**
 * `lab analyze --picture FILE`: the summary as a picture. The painter is the page's (src/summary/picture.ts). SVG is written as it is; for
 * PNG a browser paints that SVG once, without a window: nothing is installed for it.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { summaryPicture, type SummaryPicture } from '../src/summary/picture'
import { estimatedWidth, svgOf } from '../src/summary/picture-svg'
import type { Summary } from '../src/summary/summary'
import { themeColour } from '../src/ui/theme-colours'
import { processFlags } from './adapters.mjs'
import { findBrowser } from './browsers.mjs'
import { CommandError, inert, say } from './terminal.mjs'

/** Of pixels to px: sharp where it is shown at its own size. */
const PIXEL_RATIO = 2
const LIMIT_MS = 60_000

/** Its image is loaded, and painted into the text of the document, before a browser prints that. */
const documentOf = (
  svg: string,
  { width, height }: SummaryPicture,
): string => `<!doctype html><meta charset="utf-8"><pre></pre>
<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" onload="
const canvas = document.createElement('canvas')
canvas.width = ${String(width * PIXEL_RATIO)}
canvas.height = ${String(height * PIXEL_RATIO)}
canvas.getContext('2d').drawImage(this, 0, 0, canvas.width, canvas.height)
document.querySelector('pre').textContent = canvas.toDataURL('image/png')">`

async function pngOf(svg: string, picture: SummaryPicture): Promise<Buffer> {
  const browser = await findBrowser()
  if (browser === null)
    throw new CommandError(
      'A picture as PNG needs Chrome or Chromium, and there is none: CHROME_PATH can name one; FILE.svg needs none.',
      2,
    )
  const folder = await mkdtemp(join(tmpdir(), 'lab-picture-'))
  try {
    const page = join(folder, 'picture.html')
    await writeFile(page, documentOf(svg, picture))
    const flags = [
      '--headless',
      ...processFlags(),
      '--no-first-run',
      // One that is open keeps its own windows and answers for none else.
      `--user-data-dir=${join(folder, 'profile')}`,
      '--dump-dom',
    ]
    const { stdout } = await promisify(execFile)(browser, [...flags, pathToFileURL(page).href], {
      timeout: LIMIT_MS,
      maxBuffer: 2 ** 26,
    })
    const [, png] = /<pre>data:image\/png;base64,([^<]+)<\/pre>/.exec(stdout) ?? []
    if (png === undefined) throw new Error('it painted nothing')
    return Buffer.from(png, 'base64')
  } catch (thrown) {
    const [why] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n')
    throw new CommandError(`The browser made no picture (${why ?? ''}); FILE.svg needs none.`, 2)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** @param file ends in .png or .svg: analyze-arguments.ts @throws CommandError where it cannot be made or written */
export async function writePicture(file: string, summary: Summary): Promise<void> {
  const picture = summaryPicture(summary, {
    colourOf: (name) => themeColour(name)[0],
    widthOf: estimatedWidth,
    from: 'Host/Device Lab: analyze --picture',
  })
  const svg = svgOf(picture)
  const bytes = file.endsWith('.svg') ? svg : await pngOf(svg, picture)
  try {
    await writeFile(file, bytes)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^E[A-Z]+: /, '') : String(thrown)
    throw new CommandError(`'${file}' cannot be written: ${why}.`, 2)
  }
  say(inert(`picture  ${file}`))
}
