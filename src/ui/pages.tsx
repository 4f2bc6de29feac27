/**
 * The pages, each loaded when first shown. The one that the address names is loaded before anything is drawn, so that it takes the place
 * of the text that index.html shows, without an empty page between.
 */
import { lessonIndex } from 'virtual:lesson-index'
import { loadMeta } from '../experiments/load-meta'
import { isLesson, loadLesson } from '../lessons/load'
import type { Route } from '../state/url'
import { lazyPage } from './lazy-page'

export const home = lazyPage(async () => (await import('./home/HomePage')).HomePage)
export const lesson = lazyPage(async () => (await import('./lesson/LessonPage')).LessonPage)
export const run = lazyPage(async () => (await import('./run/RunPage')).RunPage)
export const device = lazyPage(async () => (await import('./device/DevicePage')).DevicePage)
export const question = lazyPage(async () => (await import('./question/QuestionPage')).QuestionPage)
/** Pages that most visitors never open, behind one door: what leads there costs the first page no more. */
const loadMore = () => import('./more-pages')
export const more = lazyPage(async () => (await loadMore()).MorePage)
export const trace = lazyPage(async () => (await import('./trace/TracePage')).TracePage)

/** Its words, and the experiment that it runs. */
async function loadWhole(id: string): Promise<void> {
  const words = await loadLesson(id)
  if (words.kind === 'experiment') await loadMeta(words.experiment)
}

/** What the first paint of a route needs. Never rejects: what could not be loaded is reported where it is shown. */
export async function loadFor(route: Route): Promise<void> {
  const wanted = ((): readonly Promise<unknown>[] => {
    switch (route.page) {
      case 'home':
        return [home.load(), ...lessonIndex.slice(0, 1).map(({ id }) => loadWhole(id))]
      case 'lesson':
        return [lesson.load(), ...(isLesson(route.id) ? [loadWhole(route.id)] : [])]
      case 'embed':
      case 'teachers':
      case 'class':
      case 'assignment':
        return [more.load(), loadMore().then(({ load }) => load(route))]
      default:
        return []
    }
  })()
  await Promise.allSettled(wanted)
}

/** What the visitor is likely to open next, while the browser has nothing else to do. */
export function prefetch(): void {
  const work = () => {
    void lesson.load().then(async () => {
      const { screens } = await import('./lesson/screens')
      await Promise.allSettled([...Object.values(screens).map(({ load }) => load()), import('../timeline')])
    }, reportError)
  }
  // Safari has no such thing.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work)
  else setTimeout(work, 1000)
}
