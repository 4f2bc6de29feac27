/**
 * The pages, a row each: how it is loaded and what it needs; `FOLDERS` of site/state/url.ts has its
 * address. The one that the address names is loaded before anything is drawn, so that it takes the
 * place of the text that index.html shows, without an empty page between.
 */
import { lessonIndex } from 'virtual:lesson-index'
import type { PageName, Route, RouteOf } from '../state/url'
import type { LazyLab } from './lab-context'
import { sitedPage, type SitedPage } from './lazy-page'

interface Row<P extends PageName> extends SitedPage<{ readonly route: RouteOf<P> }> {
  /**
   * 'shell': it is drawn without the rest of the lab (make-lab.ts). 'visitor': without a run or a
   * file it is a heading.
   */
  readonly needs: 'shell' | 'lab' | 'visitor'
}

/**
 * 404.html does not know where it stands, so it cannot say where the files lie that its page needs.
 */
const unknown = sitedPage(() => import('./NotFoundPage'), 'UnknownPage')

export const routes: { readonly [P in PageName]: Row<P> } = {
  home: { needs: 'shell', ...sitedPage(() => import('./home/HomePage'), 'HomePage') },
  lesson: { needs: 'lab', ...sitedPage(() => import('./lesson/LessonPage'), 'LessonPage') },
  embed: { needs: 'lab', ...sitedPage(() => import('./embed/EmbedPage'), 'EmbedPage') },
  run: { needs: 'visitor', ...sitedPage(() => import('./run/RunPage'), 'RunPage') },
  experiments: { needs: 'visitor', ...sitedPage(() => import('./run/RunListPage'), 'RunListPage') },
  find: { needs: 'lab', ...sitedPage(() => import('./find/FindPage'), 'FindPage') },
  trace: { needs: 'visitor', ...sitedPage(() => import('../opened-trace/TracePage'), 'TracePage') },
  device: { needs: 'visitor', ...sitedPage(() => import('./device/DevicePage'), 'DevicePage') },
  questions: { needs: 'shell', ...sitedPage(() => import('./question/QuestionsPage'), 'QuestionsPage') },
  question: { needs: 'shell', ...sitedPage(() => import('./question/QuestionPage'), 'QuestionPage') },
  method: { needs: 'shell', ...sitedPage(() => import('./sections/SectionsPage'), 'MethodPage') },
  reference: { needs: 'shell', ...sitedPage(() => import('./sections/SectionsPage'), 'ReferencePage') },
  record: { needs: 'shell', ...sitedPage(() => import('./record/RecordPage'), 'RecordPage') },
  check: { needs: 'shell', ...sitedPage(() => import('./check/CheckPage'), 'CheckPage') },
  teachers: { needs: 'lab', ...sitedPage(() => import('./teachers/TeachersPage'), 'TeachersPage') },
  unknown: { ...unknown, needs: 'shell', load: () => unknown.load().then(() => []) },
}

/** Any page but `embed`, in a page of another site. */
export const framed = sitedPage(() => import('./NotFoundPage'), 'FramedPage')

/** The lesson whose words a page shows from the start. */
export const lessonIn = (route: Route): string | null =>
  'id' in route && route.page !== 'run' ? route.id : null

const loadWords = async (lesson: string, screen?: string) => {
  const { loadWhole } = await import('./lesson/screens')
  await loadWhole(lesson, screen)
}

/**
 * What the first paint of a route needs. Never rejects: what could not be loaded is reported where
 * it is shown.
 */
export async function loadFor(route: Route, lazyLab: Pick<LazyLab, 'load'>): Promise<void> {
  const { load, needs } = routes[route.page]
  const lesson = lessonIn(route)
  await Promise.allSettled([
    load(),
    lesson !== null && loadWords(lesson, 'screen' in route ? route.screen : ''),
    needs !== 'shell' && lazyLab.load(),
  ])
}

/** A page that is never idle gets them all the same. */
const IDLE_LIMIT_MS = 2000

/**
 * The rest of the lab, and what the visitor is likely to open next, while the browser has nothing
 * else to do.
 */
export function prefetch({ load }: Pick<LazyLab, 'load'>): void {
  const work = () => {
    void Promise.all([load(), routes.lesson.load()]).then(async () => {
      const { screens } = await import('./lesson/screens')
      const [first] = lessonIndex
      await Promise.allSettled([
        first && loadWords(first.id),
        ...Object.values(screens).map((screen) => screen.load()),
        import('../../timeline'),
      ])
    }, reportError)
  }
  // Safari has no such thing.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: IDLE_LIMIT_MS })
  else setTimeout(work, 1000)
}
