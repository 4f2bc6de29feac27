/**
 * Which page is shown. A page that opens takes focus on its heading and the title of the tab; a
 * change of its query does neither.
 */
import {
  Component,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { addressOf, isSamePage, pageKey, type Route } from '../state/url'
import { Header, SiteFooter } from './SiteFrame'
import { Button } from './Button'
import { useShell } from './lab-context'
import { framed, routes } from './routes'
import { useStore } from 'zustand'

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
            Reload it. If it happens again, that is a bug in the lab.{' '}
            <a href={addressOf({ page: 'home' })}>To the lessons</a>
          </p>
        </div>
      </div>
    )
  }
}

/**
 * The host has a newer version than this page. Offered, never forced: what is on the page may be
 * worth more.
 */
const NewerVersion = () => {
  const isOffered = useStore(useShell().offline.store, ({ isNewer, isBusy }) => isNewer && !isBusy)
  const [isPutOff, setIsPutOff] = useState(false)
  return (
    isOffered &&
    !isPutOff && (
      <p>
        A newer version of the lab is here. This page stays as it is until you load it again.{' '}
        <Button look="link" label="Reload" onClick={() => location.reload()} />{' '}
        <Button look="link" label="Later" onClick={() => setIsPutOff(true)} />
      </p>
    )
  )
}

export interface AppProps {
  /**
   * It stands in another page: only what is made for that is shown, so that nobody's press is led
   * to anything else.
   */
  readonly isFramed?: boolean
}

export const App = ({ isFramed = false }: AppProps) => {
  const { route: place, view } = useShell()
  const route = useStore(place.store, (state) => state.route)
  const theme = useStore(view.store, (state) => state.theme)
  const main = useRef<HTMLElement>(null)
  const shown = useRef<Route>(route)

  // From here on a press is answered: until then the page is the file's text. For those who drive
  // the page (e2e/lab.ts).
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
  // Each page takes the routes that lead to it.
  const Page = (isFramed && !isEmbed ? framed : routes[route.page]).Page as ComponentType<{ route: Route }>
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
            <NewerVersion />
          </div>
        </>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <PageBoundary key={pageKey(route)}>
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
      {!isEmbed && <SiteFooter />}
    </>
  )
}
