/**
 * The pages, each loaded when first shown. The one that the address names is loaded before anything is drawn, so that it takes the place
 * of the text that index.html shows, without an empty page between.
 */
import { lessonIndex } from 'virtual:lesson-index'
import type { Route } from '../state/url'
import type { LazyLab } from './lab-context'
import { lazyPage } from './lazy-page'
import { isLight } from './light-pages'

export const home = lazyPage(async () => (await import('./home/HomePage')).HomePage)
export const lesson = lazyPage(async () => (await import('./lesson/LessonPage')).LessonPage)
export const run = lazyPage(async () => (await import('./run/RunPage')).RunPage)
export const device = lazyPage(async () => (await import('./device/DevicePage')).DevicePage)
export const question = lazyPage(async () => (await import('./question/QuestionPage')).QuestionPage)
export const questions = lazyPage(async () => (await import('./question/QuestionsPage')).QuestionsPage)
/** Pages that most visitors never open, in one chunk: what leads there costs the first page no more. */
const loadMore = () => import('./more-pages')
export const more = lazyPage(async () => (await loadMore()).MorePage)
export const trace = lazyPage(async () => (await import('./trace/TracePage')).TracePage)

export const find = lazyPage(async () => (await import('./find/FindPage')).FindPage)

/** What the first paint of a route needs. Never rejects: what could not be loaded is reported where it is shown. */
export async function loadFor(route: Route, lazyLab: Pick<LazyLab, 'load'>): Promise<void> {
  const wanted = ((): readonly Promise<unknown>[] => {
    switch (route.page) {
      case 'home':
        return [home.load()]
      case 'lesson':
        return [lesson.load(), import('./lesson/load-whole').then(({ loadWhole }) => loadWhole(route.id))]
      case 'run':
        if (route.id !== null) return [run.load()]
        break
      case 'device':
        return [device.load()]
      case 'question':
        return [question.load()]
      case 'questions':
        return [questions.load()]
      case 'trace':
        return [trace.load()]
      case 'find':
        return [find.load()]
      case 'unknown':
        return []
      default:
    }
    return [more.load(), loadMore().then(({ load }) => load(route))]
  })()
  await Promise.allSettled([...wanted, ...(isLight(route) ? [] : [lazyLab.load()])])
}

/** A page that is never idle gets them all the same. */
const IDLE_LIMIT_MS = 2000

/** The rest of the lab, and what the visitor is likely to open next, while the browser has nothing else to do. */
export function prefetch({ load }: Pick<LazyLab, 'load'>): void {
  const work = () => {
    void Promise.all([load(), lesson.load()]).then(async () => {
      const { screens } = await import('./lesson/screens')
      const [first] = lessonIndex
      await Promise.allSettled([
        import('./lesson/load-whole').then(({ loadWhole }) => first && loadWhole(first.id)),
        ...Object.values(screens).map((screen) => screen.load()),
        import('../timeline'),
      ])
    }, reportError)
  }
  // Safari has no such thing.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: IDLE_LIMIT_MS })
  else setTimeout(work, 1000)
}
