import { addressOf, type RouteOf } from '../state/url'
import { useTitle } from './use-title'

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

/** 404.html does not know for which address it stands before a script has read it: vite/first-paint.ts. */
export const UnknownPage = ({ route: { path } }: { readonly route: RouteOf<'unknown'> }) => (
  <NotFoundPage what={path === '/404.html' ? 'There is no page here.' : `There is no page ‘${path}’.`} />
)
