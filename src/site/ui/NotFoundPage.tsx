/**
 * What is shown in place of a page: there is none at its address, or it stands in a frame of
 * another site.
 */
import { addressOf, type RouteOf } from '../state/url'
import { useTitle } from './use-title'
import { useShell } from './lab-context'
import { useStore } from 'zustand'

/** An address that leads nowhere: says so, and where to go. */
export const NotFoundPage = ({ what }: { readonly what: string }) => {
  useTitle('Not found')
  return (
    <div className="page page-narrow">
      <div className="page-head stack-12">
        <h1>Not found</h1>
        <p className="lead">{what}</p>
      </div>
      <p>
        <a href={addressOf({ page: 'home' })}>All lessons</a> ·{' '}
        <a href={addressOf({ page: 'questions', query: {} })}>All questions</a> ·{' '}
        <a href={addressOf({ page: 'experiments' })}>All experiments</a>
      </p>
    </div>
  )
}

/**
 * 404.html does not know for which address it stands before a script has read it:
 * vite/first-paint.ts.
 */
export const UnknownPage = ({ route: { path } }: { readonly route: RouteOf<'unknown'> }) => (
  <NotFoundPage what={path === '/404.html' ? 'There is no page here.' : `There is no page ‘${path}’.`} />
)

/** It measures in a tab of its own only, and says what is made for frames. */
export const FramedPage = () => {
  const route = useStore(useShell().route.store, (state) => state.route)
  return (
    <div className="page page-narrow" data-testid="framed">
      <div className="page-head stack-12">
        <h1>This page is in a frame of another site</h1>
      </div>
      <p>Here it shows and measures nothing: whoever made that page could cover it with something.</p>
      <p>
        <a href={addressOf(route)} target="_blank" rel="noopener">
          Open it in a tab of its own
        </a>
      </p>
      {route.page === 'lesson' && (
        <p className="small quiet">
          If you made that page: this lesson has an address for frames,{' '}
          <code>{addressOf({ ...route, page: 'embed' }).replace('./', '')}</code>.
        </p>
      )}
    </div>
  )
}
