/** What a page of the site shows in a frame of another site: that it measures in a tab of its own only, and what is made for frames. */
import { addressOf } from '../../state/url'
import { useShell } from '../lab-context'
import { useStore } from 'zustand'

export const FramedPage = () => {
  const { route: routes } = useShell()
  const route = useStore(routes.store, (state) => state.route)
  return (
    <div className="page page-narrow" data-testid="framed">
      <div className="page-head stack-12">
        <h1>This page is in a frame of another site</h1>
      </div>
      <p>Here it shows and measures nothing: whoever made that page could lay something over it.</p>
      <p>
        <a href={addressOf(route)} target="_blank" rel="noopener">
          Open it in a tab of its own
        </a>
      </p>
      {route.page === 'lesson' && (
        <p className="small quiet">
          For whoever made that page: this lesson has an address for frames,{' '}
          <code>{addressOf({ ...route, page: 'embed' }).replace('./', '')}</code>.
        </p>
      )}
    </div>
  )
}
