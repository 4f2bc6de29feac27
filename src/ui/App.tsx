/** Which page is shown. A page that opens takes focus on its heading and the title of the tab; a change of its query does neither. */
import { Component, lazy, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { isSamePage, type Route } from '../state/url'
import { Header } from './Header'
import { HomePage } from './home/HomePage'
import { useLab } from './lab-context'
import { NotFoundPage } from './NotFoundPage'
import { SiteFooter } from './SiteFooter'
import { useStore } from './use-store'

const LessonPage = lazy(async () => ({ default: (await import('./lesson/LessonPage')).LessonPage }))
const RunPage = lazy(async () => ({ default: (await import('./run/RunPage')).RunPage }))
const RunListPage = lazy(async () => ({ default: (await import('./run/RunListPage')).RunListPage }))
const DevicePage = lazy(async () => ({ default: (await import('./device/DevicePage')).DevicePage }))
const MethodPage = lazy(async () => ({ default: (await import('./method/MethodPage')).MethodPage }))

const RunsPage = lazy(async () => ({ default: (await import('./runs/RunsPage')).RunsPage }))

const ComparePage = lazy(async () => ({ default: (await import('./compare/ComparePage')).ComparePage }))

const TracePage = lazy(async () => ({ default: (await import('./trace/TracePage')).TracePage }))

const Page = ({ route }: { readonly route: Route }) => {
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'device':
      return <DevicePage />
    case 'method':
      return <MethodPage />
    case 'lesson':
      return <LessonPage key={route.id} id={route.id} query={route.query} />
    case 'run':
      return route.id === null ? (
        <RunListPage />
      ) : (
        <RunPage key={route.id} id={route.id} query={route.query} />
      )
    case 'runs':
      return <RunsPage />
    case 'trace':
      return <TracePage query={route.query} />
    case 'compare':
      return <ComparePage query={route.query} />
    case 'unknown':
      return <NotFoundPage what={`There is no page ‘${route.path}’.`} />
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
            Reload it. If it comes back, that is a bug in the lab. <a href="#/">To the lessons</a>
          </p>
        </div>
      </div>
    )
  }
}

export const App = () => {
  const { route: routes, view } = useLab()
  const route = useStore(routes.store, (state) => state.route)
  const theme = useStore(view.store, (state) => state.theme)
  const main = useRef<HTMLElement>(null)
  const shown = useRef<Route>(route)

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

  return (
    <>
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          // The hash is the route: move the focus without touching it.
          event.preventDefault()
          main.current?.focus()
          main.current?.scrollIntoView()
        }}
      >
        Skip to the content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        <PageBoundary key={route.page + ('id' in route ? (route.id ?? '') : '')}>
          <Suspense
            fallback={
              <div className="loading" role="status">
                Loading the page
              </div>
            }
          >
            <Page route={route} />
          </Suspense>
        </PageBoundary>
      </main>
      <SiteFooter />
    </>
  )
}
