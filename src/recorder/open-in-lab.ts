/**
 * Hands a recording to the lab in a window of its own: nothing is uploaded. The lab's page open.html hears it, which is never isolated: the
 * others are, and no page of another site may speak to them.
 */
const PATIENCE_MS = 30_000

/** What a window of the lab says once it can hear. */
interface Said {
  readonly hostDeviceLab?: unknown
}

/**
 * @param lab the address of a site that the lab is on
 * @param recording asked for once the window is open: browsers open one only at once after a click
 * @throws Error where no window opens, or it does not answer
 */
export async function handToLab(lab: string, recording: () => Promise<Blob>): Promise<void> {
  const address = new URL('open.html', lab.endsWith('/') ? lab : `${lab}/`)
  if (globalThis.crossOriginIsolated)
    throw new Error('This page is isolated, and may not speak to a window of another site: save() a file.')
  const opened = globalThis.open(address.href)
  if (!opened) throw new Error('The browser did not open a window: call openInLab() at a click.')
  const isReady = new Promise<void>((resolve, reject) => {
    const patience = setTimeout(() => {
      globalThis.removeEventListener('message', hear)
      reject(new Error(`${address.href} did not answer.`))
    }, PATIENCE_MS)
    const hear = ({ source, origin, data }: MessageEvent<Said | null>) => {
      if (source !== opened || origin !== address.origin || data?.hostDeviceLab !== 'ready') return
      clearTimeout(patience)
      globalThis.removeEventListener('message', hear)
      resolve()
    }
    globalThis.addEventListener('message', hear)
  })
  const [file] = await Promise.all([recording(), isReady])
  opened.postMessage({ hostDeviceLab: file }, address.origin)
}
