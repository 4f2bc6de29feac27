/**
 * The address of a page, as a value. Relative to the site's root, so that dist/ works from any sub-path and any static host.
 * Pure: what a query means is for the experiment's schema to say. Every link ever published stays in url.test.ts.
 */
export type Query = Readonly<Record<string, string>>

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'device' }
  | { readonly page: 'method' }
  /** The runs that are kept here. */
  | { readonly page: 'runs' }
  /** A file of any format; a recording or a kept run, where the query names one. */
  | { readonly page: 'trace'; readonly query: Query }
  /** Two runs on one axis; which, is in the query. */
  | { readonly page: 'compare'; readonly query: Query }
  /** '' for the screen that the visitor's progress asks for, and for no step in particular. */
  | {
      readonly page: 'lesson'
      readonly id: string
      readonly screen: string
      readonly step: string
      readonly query: Query
    }
  /** All of those questions. */
  | { readonly page: 'questions' }
  /** A lesson's question and result alone, for a frame in a page of somebody else's. */
  | {
      readonly page: 'embed'
      readonly id: string
      readonly screen: string
      readonly step: string
      readonly query: Query
    }
  /** For teachers: null, or the sheet of a lesson. */
  | { readonly page: 'teachers'; readonly id: string | null }
  /** A question that people ask elsewhere, with its answer and the way to a lesson (lessons/questions.md). */
  | { readonly page: 'question'; readonly slug: string }
  /** id null: the list of experiments. */
  | { readonly page: 'run'; readonly id: string | null; readonly query: Query }
  /** 'Find the line': which profile, counted from 1; null for today's. */
  | { readonly page: 'find'; readonly number: number | null }
  | { readonly page: 'unknown'; readonly path: string }

/**
 * Names in a query that are no settings: what a run came to as text (result-link.ts), what a frame leaves out, and a whole run, as links held
 * it once. No parameter may have them.
 */
const RESULT = 'result'
export const HIDE = 'hide'
const OLD_RUN = 'd'

/** Of a lesson's address: the result that was sent with it; undefined where none was. */
export const resultIn = (query: Query): string | undefined => query[RESULT]
export const withResult = (text: string): Query => ({ [RESULT]: text })
export const holdsOldRun = (query: Query): boolean => OLD_RUN in query
/** Of the run only that it was there. */
const withoutOldRun = (query: Query): Query => (OLD_RUN in query ? { [OLD_RUN]: '' } : query)
/** The settings that an address asks for. */
export const settingsIn = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => ![RESULT, HIDE, OLD_RUN].includes(name)))

/** Never throws: a stray % is kept as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Where a document is, as the site sees it. `path` is relative to the site's root: '' or 'lessons/ID/'; `hash` with its #. */
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
 * Never throws. A page has a path, so that a host can hold it as a file of its own; what is within the page (a lesson's screen and step)
 * and the query stand in the hash, which no host has to know, and which is sent to none. Before there were paths all of it stood in the
 * hash, behind '#/': such links go on being read, whatever the path.
 */
export function routeOf({ path, hash }: Place): Route {
  const before = /^#(\/.*)/s.exec(hash)?.[1]
  if (before !== undefined) {
    const { parts, query } = readInside(before)
    return routeFrom(parts, query, before.split('?')[0] ?? '')
  }
  const { parts, query } = readInside(hash.slice(1))
  return routeFrom([...partsOf(path.replace(/(^|\/)index\.html$/, '$1')), ...parts], query, `/${path}`)
}

/** Of a link as it is written: './lessons/ID/#see', relative to the site's root, or '#/lessons/ID/see' of old. */
export function readAddress(address: string): Route {
  const [path = '', hash = ''] = address.replace(/^\.?\//, '').split(/#(.*)/s)
  return routeOf({ path, hash: hash === '' ? '' : `#${hash}` })
}

/** An assignment's link, as teachers made them once: its lesson, with its settings (`set.steps=16`). */
function assigned(query: Query): Route {
  const SETTING = 'set.'
  const lesson = query['lesson'] ?? ''
  if (lesson === '') return { page: 'teachers', id: null }
  const settings = Object.entries(query).filter(([name]) => name.startsWith(SETTING))
  return lessonRoute(
    lesson,
    '',
    '',
    Object.fromEntries(settings.map(([name, value]) => [name.slice(SETTING.length), value])),
  )
}

function routeFrom([page = '', id, ...rest]: readonly string[], query: Query, path: string): Route {
  const unknown: Route = { page: 'unknown', path }
  const isLesson = page === 'lessons' || page === 'embed'
  if (rest.length > (isLesson ? 2 : 0)) return unknown
  switch (page) {
    case '':
      return { page: 'home' }
    case 'device':
    case 'method':
    case 'runs':
      return id === undefined ? { page } : unknown
    case 'class':
      return id === undefined ? { page: 'teachers', id: null } : unknown
    case 'assignment':
      return id === undefined ? assigned(query) : unknown
    case 'compare':
      return id === undefined ? { page, query } : unknown
    case 'find':
      if (id === undefined) return { page, number: null }
      return /^[1-9]\d{0,3}$/.test(id) ? { page, number: Number(id) } : unknown
    case 'trace':
      return id === undefined ? { page, query: withoutOldRun(query) } : unknown
    case 'lessons':
    case 'embed': {
      if (id === undefined) return { page: 'home' }
      // A run of old opens the lesson as its reader left it.
      const [screen = '', step = ''] = holdsOldRun(query) ? [] : rest
      return { page: page === 'embed' ? page : 'lesson', id, screen, step, query: withoutOldRun(query) }
    }
    case 'teachers':
      return { page, id: id ?? null }
    case 'q':
      return id === undefined ? { page: 'questions' } : { page: 'question', slug: id }
    case 'run':
      // A lesson has the name of its experiment.
      if (id !== undefined && holdsOldRun(query)) return lessonRoute(id, '', '', withoutOldRun(query))
      return { page: 'run', id: id ?? null, query }
    default:
      return unknown
  }
}

const formatQuery = (query: Query): string => {
  // Commas stand in lists of values and need no escape in a hash.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

const withinPage = (parts: readonly string[], query: Query = {}): string => {
  const text = parts.filter(Boolean).map(encodeURIComponent).join('/') + formatQuery(query)
  return text === '' ? '' : `#${text}`
}

/** For the address bar and for links: relative to the site's root, which `<base>` names in every page. */
export function addressOf(route: Route): string {
  switch (route.page) {
    case 'home':
      return './'
    case 'device':
    case 'method':
    case 'runs':
      return `./${route.page}/`
    case 'compare':
    case 'trace':
      return `./${route.page}/${withinPage([], route.query)}`
    case 'lesson':
    case 'embed':
      return `./${route.page === 'embed' ? 'embed' : 'lessons'}/${encodeURIComponent(route.id)}/${withinPage([route.screen, route.step], route.query)}`
    case 'find':
      return `./find/${withinPage([route.number === null ? '' : String(route.number)])}`
    case 'questions':
      return './q/'
    case 'question':
      return `./q/${encodeURIComponent(route.slug)}/`
    case 'teachers':
      return route.id === null ? './teachers/' : `./teachers/${encodeURIComponent(route.id)}/`
    case 'run':
      return route.id === null
        ? './run/'
        : `./run/${encodeURIComponent(route.id)}/${withinPage([], route.query)}`
    case 'unknown':
      return `./${route.path.replace(/^\//, '')}`
  }
}

/** The file of a page in a build, whatever its query: 'lessons/ID/index.html'. */
export const pageFile = (route: Route): string =>
  `${addressOf(route).replace(/^\.\//, '').replace(/#.*$/s, '')}index.html`

const nameOf = (route: Route): string =>
  'id' in route
    ? (route.id ?? '')
    : 'slug' in route
      ? route.slug
      : 'number' in route
        ? String(route.number)
        : ''

/** Two routes that show the same page: only the query differs, or the screen of a lesson, which sees to that by itself. */
export const isSamePage = (a: Route, b: Route): boolean => a.page === b.page && nameOf(a) === nameOf(b)

/** A lesson; where the visitor's progress leads to unless a screen is named. */
export const lessonRoute = (id: string, screen = '', step = '', query: Query = {}): Route => ({
  page: 'lesson',
  id,
  screen,
  step,
  query,
})
