/**
 * The address of a page, as a value. It lives in the hash, so that dist/ works from any sub-path and any static host.
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
  /** id null: the list of experiments. */
  | { readonly page: 'run'; readonly id: string | null; readonly query: Query }
  | { readonly page: 'unknown'; readonly path: string }

/** The one name in a query that is no setting: a whole run as text (formats/run-link.ts). No parameter may have it. */
const RUN = 'd'

/** Of the address of a lesson or of the bench: the run that was sent with it; undefined where none was. */
export const runIn = (query: Query): string | undefined => query[RUN]
export const withRun = (text: string): Query => ({ [RUN]: text })
/** The settings that an address asks for. */
export const settingsIn = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== RUN))

/** Never throws: a stray % is kept as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export function parseHash(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const [page = '', id, ...rest] = path.split('/').filter(Boolean).map(decode)
  const query: Query = Object.fromEntries(new URLSearchParams(search))
  const unknown: Route = { page: 'unknown', path }
  if (rest.length > (page === 'lessons' ? 2 : 0)) return unknown
  switch (page) {
    case '':
      return { page: 'home' }
    case 'device':
    case 'method':
    case 'runs':
      return id === undefined ? { page } : unknown
    case 'compare':
    case 'trace':
      return id === undefined ? { page, query } : unknown
    case 'lessons':
      return id === undefined
        ? { page: 'home' }
        : { page: 'lesson', id, screen: rest[0] ?? '', step: rest[1] ?? '', query }
    case 'run':
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

export function formatHash(route: Route): string {
  switch (route.page) {
    case 'home':
      return '#/'
    case 'device':
    case 'method':
    case 'runs':
      return `#/${route.page}`
    case 'compare':
    case 'trace':
      return `#/${route.page}${formatQuery(route.query)}`
    case 'lesson':
      return `#/lessons/${[route.id, route.screen, route.step].filter(Boolean).map(encodeURIComponent).join('/')}${formatQuery(route.query)}`
    case 'run':
      return route.id === null ? '#/run' : `#/run/${encodeURIComponent(route.id)}${formatQuery(route.query)}`
    case 'unknown':
      return `#/${route.path.replace(/^\//, '')}`
  }
}

/** Two routes that show the same page: only the query differs, or the screen of a lesson, which sees to that by itself. */
export const isSamePage = (a: Route, b: Route): boolean =>
  a.page === b.page && ('id' in a ? a.id : '') === ('id' in b ? b.id : '')

/** A lesson; where the visitor's progress leads to unless a screen is named. */
export const lessonRoute = (id: string, screen = '', step = '', query: Query = {}): Route => ({
  page: 'lesson',
  id,
  screen,
  step,
  query,
})
