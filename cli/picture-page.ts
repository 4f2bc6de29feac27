/** In an empty page (timeline-picture.ts): a recording as the lab's own timeline draws it, as PNG. */
import { findGaps } from '../src/analysis/gaps'
import { createTimeline, type ImageCaption } from '../src/timeline'
import { decodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'

export type MakePicture = (runBase64: string, css: string, caption: ImageCaption) => Promise<string>

const WIDTH_PX = 1440

const makePicture: MakePicture = async (runBase64, css, caption) => {
  const run = await decodeRun(Uint8Array.from(atob(runBase64), (each) => each.charCodeAt(0)))
  if (!run.ok) throw new Error(run.error.message)
  const placed = placeTrace(run.value.trace)
  const style = document.createElement('style')
  style.textContent = css
  document.head.append(style)
  const container = document.createElement('div')
  container.style.cssText = `position:relative;width:${String(WIDTH_PX)}px;height:100px;font-family:'Inter Fallback',sans-serif`
  document.body.append(container)
  const timeline = createTimeline(container)
  timeline.on('layout', (heightPx) => (container.style.height = `${String(heightPx)}px`))
  timeline.setData({ placed, gaps: findGaps(placed), live: false, nowNs: placed.endOfAllNs })
  // A frame to lay the rows out, and one at the height that they need.
  for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next))
  const png = new Uint8Array(await (await timeline.toPng({ caption, withSelection: false })).arrayBuffer())
  let text = ''
  for (const byte of png) text += String.fromCharCode(byte)
  return btoa(text)
}

Object.assign(globalThis, { makePicture })
