/** Pages that most visitors never open, each loaded when first shown: for teachers, in frames of other sites, of kept runs, of the method, of all experiments. */
import { loadMeta } from '../experiments/load-meta'
import { isLesson, loadLesson } from '../lessons/load'
import type { Route } from '../state/url'
import { lazyPage, type LazyPage } from './lazy-page'

const compare = lazyPage(async () => (await import('./compare/ComparePage')).ComparePage)
const method = lazyPage(async () => (await import('./method/MethodPage')).MethodPage)
const runList = lazyPage(async () => (await import('./run/RunListPage')).RunListPage)
const runs = lazyPage(async () => (await import('./runs/RunsPage')).RunsPage)
const embed = lazyPage(async () => (await import('./embed/EmbedPage')).EmbedPage)
const framed = lazyPage(async () => (await import('./embed/FramedPage')).FramedPage)
const teachers = lazyPage(async () => (await import('./teachers/TeachersPage')).TeachersPage)
const sheet = lazyPage(async () => (await import('./teachers/SheetPage')).SheetPage)

export interface MorePageProps {
  readonly route: Route
  /** In another site's page: only what is made for that is shown. */
  readonly isFramed?: boolean
}

export const MorePage = ({ route, isFramed = false }: MorePageProps) => {
  if (isFramed && route.page !== 'embed') return <framed.Page />
  switch (route.page) {
    case 'embed':
      return <embed.Page key={route.id} route={route} />
    case 'teachers':
      return route.id === null ? <teachers.Page /> : <sheet.Page key={route.id} id={route.id} />
    case 'compare':
      return <compare.Page query={route.query} />
    case 'method':
      return <method.Page />
    case 'run':
      return <runList.Page />
    case 'runs':
      return <runs.Page />
    default:
      return null // drawn by App
  }
}

const ALONE: Readonly<Partial<Record<Route['page'], Pick<LazyPage<never>, 'load'>>>> = {
  embed,
  compare,
  method,
  run: runList,
  runs,
}

/** What the first paint of such a route needs. */
export async function load(route: Route): Promise<void> {
  const id = 'id' in route ? route.id : null
  const words = id !== null && isLesson(id) ? loadLesson(id) : null
  const page = route.page === 'teachers' ? (id === null ? teachers : sheet) : ALONE[route.page]
  const [lesson] = await Promise.all([words, page?.load()])
  if (lesson?.kind === 'experiment') await loadMeta(lesson.experiment)
}
