/**
 * Composition root: what is round every page, and the page. The rest of the lab comes behind it:
 * make-lab.ts. No logic.
 */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createDeviceStore } from './site/state/device-store'
import { createLessonStore } from './site/state/lesson-store'
import { createOfflineStore } from './site/state/offline-store'
import { createRouteStore } from './site/state/route-store'
import { inBackground } from './site/state/in-background'
import { createLocalStore } from './site/state/storage'
import { createViewStore } from './site/state/view-store'
import { App } from './site/ui/App'
import { createLazyLab, LabContext } from './site/ui/lab-context'
import { loadFor, prefetch } from './site/ui/routes'
import { loadOnce } from './base/load-once'
import { trustOwnScripts } from './base/trusted-scripts'
import './site/ui/theme.css'
import './site/ui/base.css'
import './site/ui/shell.css'

/**
 * The page that takes the place of index.html's own text has the same links in it: one that a
 * visitor has gone to by keyboard meanwhile keeps focus, instead of losing it with the element.
 */

const isSame = (a: Element, b: Element): boolean =>
  a.getAttribute('href') === b.getAttribute('href') && a.textContent === b.textContent

/** Until the content of `root` is replaced, once. */
function keepFocus(root: HTMLElement): void {
  let last = document.activeElement
  const follow = () => (last = document.activeElement)
  root.addEventListener('focusin', follow)
  const observer = new MutationObserver(() => {
    observer.disconnect()
    root.removeEventListener('focusin', follow)
    const lost = last
    if (!lost || lost.isConnected || document.activeElement !== document.body) return
    const found = [...root.querySelectorAll<HTMLElement>(lost.localName)].find((each) => isSame(each, lost))
    found?.focus({ preventScroll: true })
  })
  observer.observe(root, { childList: true })
}

trustOwnScripts(document.baseURI)
// Behind the first page, which asks the device nothing before it is drawn.
const { load: loadClient } = loadOnce(async () => {
  const client = (await import('./site/worker/client')).createLabClient()
  const tell = () => client.setHidden(document.hidden)
  tell()
  document.addEventListener('visibilitychange', tell)
  return client
})
const clientOf = () => loadClient('client')
const localStore = createLocalStore(
  () => localStorage,
  (changed) => {
    addEventListener('storage', ({ key }) => changed(key))
  },
)
const offline = createOfflineStore()
const shell = {
  device: createDeviceStore(clientOf),
  lessons: createLessonStore(localStore),
  view: createViewStore(localStore),
  route: createRouteStore(window),
  offline,
}
const door = createLazyLab(shell, async () => {
  const [{ makeLab }, client] = await Promise.all([import('./site/make-lab'), clientOf()])
  return makeLab({ shell, client, localStore })
})

const startOffline = async () => {
  const { startOffline: start } = await import('./site/offline/page')
  await start(offline)
}
// Before all else where the page is to be loaded again to be isolated (no host's headers): before
// anything was pressed.
if (!globalThis.crossOriginIsolated) inBackground(startOffline())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
keepFocus(root)
// The page that is wanted is loaded first: the text of index.html stays until it can be replaced.
inBackground(
  loadFor(shell.route.store.getState().route, door).then(() => {
    createRoot(root).render(
      <StrictMode>
        <LabContext value={door}>
          <App isFramed={window.top !== window} />
        </LabContext>
      </StrictMode>,
    )
    // After the first page: the engine's code would come before what can be read and pressed.
    inBackground(shell.device.describe())
    prefetch(door)
    if (globalThis.crossOriginIsolated) inBackground(startOffline())
    inBackground(import('./site/ui/fonts.css'))
  }),
)
