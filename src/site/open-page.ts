/**
 * The script of open.html: takes a recording from the page that opened it (recorder.js, openInLab)
 * and goes on to the page 'trace'.
 */
import './ui/theme.css'
import './ui/fonts.css'
import './ui/base.css'
import { leaveFile } from './opened-trace/incoming-file'

const say = (text: string): void => {
  const said = document.getElementById('said')
  if (said) said.textContent = text
}

/** Of recorder.js (src/recorder/page.ts). */
interface Given {
  readonly hostDeviceLab?: unknown
}

const opener = globalThis.opener as Window | null
if (opener) {
  globalThis.addEventListener('message', ({ source, data }: MessageEvent<Given | null>) => {
    const given = data?.hostDeviceLab
    if (source !== opener || !(given instanceof Blob)) return
    leaveFile(given).then((address) => {
      if (address === null)
        say('This browser keeps nothing for the page, so it cannot pass the recording on. Save it as a file.')
      else location.replace(address)
    }, reportError)
  })
  // To whoever opened it: it says only that it is there.
  opener.postMessage({ hostDeviceLab: 'ready' }, '*')
} else
  say(
    'Nothing arrived: this page can’t talk to the one that opened it. An isolated page saves its recording as a file.',
  )
