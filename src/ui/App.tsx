/** Which page is shown. A page that opens takes focus on its heading and the title of the tab; a change of its query does neither. */
import { Component, lazy, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { addressOf, isSamePage, type Route } from '../state/url'
import { Header } from './Header'
import { useShell } from './lab-context'
import { NotFoundPage } from './NotFoundPage'
import * as pages from './pages'
import { SiteFooter } from './SiteFooter'
import { useStore } from './use-store'

/** The page that stands for all that there is none for. */
const NOT_FOUND = '/404.html'

const Page = ({ route }: { readonly route: Route }) => {
  switch (route.page) {
    case 'home':
      return <pages.home.Page />
    case 'device':
      return <pages.device.Page />
    case 'lesson':
      return <pages.lesson.Page key={route.id} route={route} />
    case 'run':
      return route.id === null ? (
        <pages.more.Page route={route} />
      ) : (
        <pages.run.Page key={route.id} id={route.id} query={route.query} />
      )
    case 'trace':
      return <pages.trace.Page query={route.query} />
    case 'find':
      return <pages.find.Page key={route.number} number={route.number} />
    case 'embed':
    case 'teachers':
    case 'compare':
    case 'method':
    case 'runs':
      return <pages.more.Page route={route} />
    case 'questions':
      return <pages.questions.Page />
    case 'question':
      return <pages.question.Page key={route.slug} slug={route.slug} />
    case 'unknown':
      // 404.html does not know for which address it stands before a script has read it: vite/first-paint.ts.
      return (
        <NotFoundPage
          what={route.path === NOT_FOUND ? 'There is no page here.' : `There is no page ‘${route.path}’.`}
        />
      )
  }
}

/** A part of the site that could not be loaded, or a bug: said in place, with a way out. */
class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly message: string | null }> {
  override state: { readonly message: string | null } = { message: null }
  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }
  override render() {
    if (this.state.message === null) return this.props.children
    return (
      <div className="page page-narrow">
        <div className="notice notice-warn" role="alert">
          <h2>This page could not be shown</h2>
          <p>{this.state.message}</p>
          <p>
            Reload it. If it comes back, that is a bug in the lab.{' '}
            <a href={addressOf({ page: 'home' })}>To the lessons</a>
          </p>
        </div>
      </div>
    )
  }
}

const NewerVersion = lazy(async () => ({ default: (await import('./NewerVersion')).NewerVersion }))

export interface AppProps {
  /** It stands in another page: only what is made for that is shown, so that nobody's press is led to anything else. */
  readonly isFramed?: boolean
}

export const App = ({ isFramed = false }: AppProps) => {
  const { route: routes, view, offline } = useShell()
  const isNewer = useStore(offline.store, (state) => state.isNewer)
  const route = useStore(routes.store, (state) => state.route)
  const theme = useStore(view.store, (state) => state.theme)
  const main = useRef<HTMLElement>(null)
  const shown = useRef<Route>(route)

  // From here on a press is answered: until then the page is the file's text. For those who drive the page (e2e/lab.ts).
  useEffect(() => {
    document.documentElement.dataset['answers'] = ''
  }, [])
  // Before the first paint: no flash of the other theme.
  useLayoutEffect(() => {
    const root = document.documentElement
    if (theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme
  }, [theme])

  useEffect(() => {
    const opened = !isSamePage(shown.current, route)
    shown.current = route
    if (!opened) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [route])

  const isEmbed = route.page === 'embed'
  return (
    <>
      {!isEmbed && (
        <>
          <a
            className="skip-link"
            href="#main"
            onClick={(event) => {
              // The hash is part of the route: move the focus without touching it.
              event.preventDefault()
              main.current?.focus()
              main.current?.scrollIntoView()
            }}
          >
            Skip to the content
          </a>
          <Header />
          {/* There before it says something: only then is it read out. */}
          <div className="newer-version no-print" role="status">
            {isNewer && (
              <Suspense>
                <NewerVersion />
              </Suspense>
            )}
          </div>
        </>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <PageBoundary key={route.page + ('id' in route ? (route.id ?? '') : '')}>
          <Suspense
            fallback={
              <div className="loading" role="status">
                Loading the page
              </div>
            }
          >
            {isFramed ? <pages.more.Page route={route} isFramed /> : <Page route={route} />}
          </Suspense>
        </PageBoundary>
      </main>
      {!isEmbed && <SiteFooter />}
    </>
  )
}
