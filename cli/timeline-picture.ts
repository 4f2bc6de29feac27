/** timeline.png of a recording: by the browser that recorded, in an empty page, with the lab's own timeline and colours. */
import type { Trace } from '../src/trace/schema'
import type { Targets } from './page-targets'
import { pictureText, themeText } from './page-scripts'
import type { MakePicture } from './picture-page'

/** A page that is open in `targets` is closed. @returns what makes a picture of a run's bytes */
export async function pictures(targets: Targets): Promise<(run: Buffer, trace: Trace) => Promise<Buffer>> {
  const [script, css] = await Promise.all([pictureText(), themeText()])
  return async (run, { info }) => {
    const { adapter, params, startedAt } = info
    const caption: Parameters<MakePicture>[2] = {
      title: `${String(params['in'])} ${String(params['url'])}`,
      facts: [adapter?.description || adapter?.architecture || '', startedAt],
      source: 'recorded by npm run lab -- record',
    }
    await targets.open('about:blank')
    const given = [run.toString('base64'), css, caption].map((each) => JSON.stringify(each)).join(', ')
    const png = await targets.inPage(`(async () => { ${script}\nreturn await makePicture(${given}) })()`)
    return Buffer.from(String(png), 'base64')
  }
}
