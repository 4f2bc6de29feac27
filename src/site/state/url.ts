/**
 * The address of a page, as a value. Relative to the site's root, so that dist/ works from any
 * sub-path and any static host. Pure: what a query means is for the experiment's schema to say.
 */
export type Query = Readonly<Record<string, string>>

export interface LessonPlace {
  readonly id: string
  /** '' for the one that the visitor's progress asks for. */
  readonly screen: string
  /** '' for none in particular. */
  readonly step: string
  readonly query: Query
}

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'device' }
  /** How the lab measures, and tables to look up; '' for no section in particular. */
  | { readonly page: 'method' | 'reference'; readonly section: string }
  /** How any page's WebGPU is recorded. */
  | { readonly page: 'record' }
  /** A training loop in Python, and its lines that make the GPU wait. */
  | { readonly page: 'check' }
  /** A file of any format; a recording, where the query names one. */
  | { readonly page: 'trace'; readonly query: Query }
  | ({ readonly page: 'lesson' } & LessonPlace)
  /** All of those questions; what is searched for is in the query. */
  | { readonly page: 'questions'; readonly query: Query }
  /** A lesson's question and result alone, for a frame in a page of somebody else's. */
  | ({ readonly page: 'embed' } & LessonPlace)
  | { readonly page: 'teachers' }
  /**
   * A question that people ask elsewhere, with its answer and the way to a lesson
   * (lessons/questions.md).
   */
  | { readonly page: 'question'; readonly slug: string }
  | { readonly page: 'experiments' }
  | { readonly page: 'run'; readonly id: string; readonly query: Query }
  /** 'Find the line': which profile, counted from 1; null for today's. */
  | { readonly page: 'find'; readonly number: number | null }
  | { readonly page: 'unknown'; readonly path: string }

export type PageName = Route['page']
export type RouteOf<P extends PageName> = Extract<Route, { page: P }>

/**
 * The folder of each page, from the site's root. A lesson, a question and an experiment have one of
 * their own in it.
 */
const FOLDERS = {
  home: '',
  device: 'device',
  method: 'method',
  reference: 'reference',
  record: 'record',
  check: 'check',
  trace: 'trace',
  find: 'find',
  lesson: 'lessons',
  embed: 'embed',
  questions: 'q',
  question: 'q',
  teachers: 'teachers',
  experiments: 'run',
  run: 'run',
} as const satisfies Readonly<Record<Exclude<PageName, 'unknown'>, string>>

/** Never throws: a stray % is kept as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Where a document is, as the site sees it. `path` is relative to the site's root: '' or
 * 'lessons/ID/'; `hash` with its #.
 */
export interface Place {
  readonly path: string
  readonly hash: string
}

const partsOf = (text: string): readonly string[] => text.split('/').filter(Boolean).map(decode)

/** 'see/longer?kernelMs=4' as its parts and its query. */
function readInside(text: string): { readonly parts: readonly string[]; readonly query: Query } {
  const [path = '', search = ''] = text.split(/\?(.*)/s)
  return { parts: partsOf(path), query: Object.fromEntries(new URLSearchParams(search)) }
}

/**
 * Never throws. A page has a path, so that a host can hold it as a file of its own; what is within
 * the page (a lesson's screen and step) and the query stand in the hash, which no host has to know,
 * and which is sent to none.
 */
export function routeOf({ path, hash }: Place): Route {
  const { parts, query } = readInside(hash.slice(1))
  return routeFrom(
    [...partsOf(path.replace(/(^|\/)index\.html$/, '$1')), ...parts],
    query,
    `/${path}${parts.length > 0 ? hash : ''}`,
  )
}

/** Of a link as it is written: './lessons/ID/#see', relative to the site's root. */
export function readAddress(address: string): Route {
  const [path = '', hash = ''] = address.replace(/^\.?\//, '').split(/#(.*)/s)
  return routeOf({ path, hash: hash === '' ? '' : `#${hash}` })
}

function routeFrom([folder = '', id, ...rest]: readonly string[], query: Query, path: string): Route {
  const unknown: Route = { page: 'unknown', path }
  const isLesson = folder === FOLDERS.lesson || folder === FOLDERS.embed
  if (rest.length > (isLesson ? 2 : 0)) return unknown
  const alone = (route: Route): Route => (id === undefined ? route : unknown)
  switch (folder) {
    case FOLDERS.home:
      return { page: 'home' }
    case FOLDERS.method:
    case FOLDERS.reference:
      return { page: folder, section: id ?? '' }
    case FOLDERS.device:
    case FOLDERS.record:
    case FOLDERS.check:
    case FOLDERS.teachers:
      return alone({ page: folder })
    case FOLDERS.trace:
      return alone({ page: folder, query })
    case FOLDERS.find:
      if (id === undefined) return { page: folder, number: null }
      return /^[1-9]\d{0,3}$/.test(id) ? { page: folder, number: Number(id) } : unknown
    case FOLDERS.lesson:
    case FOLDERS.embed: {
      if (id === undefined) return { page: 'home' }
      const [screen = '', step = ''] = rest
      return { page: folder === 'embed' ? folder : 'lesson', id, screen, step, query }
    }
    case FOLDERS.questions:
      return id === undefined ? { page: 'questions', query } : { page: 'question', slug: id }
    case FOLDERS.run:
      return id === undefined ? { page: 'experiments' } : { page: 'run', id, query }
    default:
      return unknown
  }
}

const formatQuery = (query: Query): string => {
  // Commas stand in lists of values and need no escape in a hash.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** Which of the pages in a folder; '' where there is one alone. */
const nameOf = (route: Route): string => ('id' in route ? route.id : 'slug' in route ? route.slug : '')

/**
 * For the address bar and for links: relative to the site's root, which `<base>` names in every
 * page.
 */
export function addressOf(route: Route): string {
  if (route.page === 'unknown') return `./${route.path.replace(/^\//, '')}`
  const encoded = (parts: readonly string[]) => parts.filter(Boolean).map(encodeURIComponent)
  const folders = encoded([FOLDERS[route.page], nameOf(route)]).map((folder) => `${folder}/`)
  const inside =
    'screen' in route
      ? [route.screen, route.step]
      : 'section' in route
        ? [route.section]
        : route.page === 'find'
          ? [String(route.number ?? '')]
          : []
  const hash = encoded(inside).join('/') + ('query' in route ? formatQuery(route.query) : '')
  return `./${folders.join('')}${hash === '' ? '' : `#${hash}`}`
}

/** The file of a page in a build, whatever its query: 'lessons/ID/index.html'. */
export const pageFile = (route: Route): string =>
  `${addressOf(route).replace(/^\.\//, '').replace(/#.*$/s, '')}index.html`

/**
 * The same for all routes that show one page: the query may differ, or the screen of a lesson,
 * which sees to that by itself.
 */
export const pageKey = (route: Route): string =>
  [route.page, nameOf(route), ...(route.page === 'find' ? [route.number] : [])].join('/')

export const isSamePage = (a: Route, b: Route): boolean => pageKey(a) === pageKey(b)

/** A lesson; where the visitor's progress leads to unless a screen is named. */
export const lessonRoute = (id: string, screen = '', step = '', query: Query = {}): RouteOf<'lesson'> => ({
  page: 'lesson',
  id,
  screen,
  step,
  query,
})
